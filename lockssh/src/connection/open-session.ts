// Opens one session for one line, waiting for its turn. Called by a run.
// Nothing of the line may reach an error; a refusal for want of sessions is a wait as long as others of ours run.

import type { ClientChannel } from 'ssh2';
import type { Clock } from './clock.js';
import { ConnectionFault } from './connection-fault.js';
import type { SessionQueue, Turn } from './session-queue.js';
import { killChannel } from './signal-channel.js';

/** The part of the library's client that a session needs. */
export interface SessionOpener {
  exec(line: string, callback: (error: Error | undefined, channel: ClientChannel) => void): unknown;
}

/** Called in the tick in which the channel opens: what a quick program sends may stand in the very same packet. */
export type OnOpen<T> = (channel: ClientChannel, turn: Turn) => T;

export interface OpeningLimits {
  readonly clock: Clock;
  /** How long the server may take to say that the line runs. */
  readonly timeoutMs: number;
  /** Ends the wait for a turn, with its reason. */
  readonly signal: AbortSignal;
}

/**
 * Throws ConnectionFault: no_session (the server opens none), line_refused, lost, or end_unknown (the server never
 * said whether the line runs); the signal's reason while it waits.
 */
export async function openSession<T>(
  client: SessionOpener,
  queue: SessionQueue,
  line: string,
  limits: OpeningLimits,
  onOpen: OnOpen<T>,
): Promise<{ readonly opened: T }> {
  for (let refusals = 1; ; refusals++) {
    const turn = await queue.take(limits.signal);
    const result = await executeAgain(client, line, limits, (channel) => onOpen(channel, turn));
    if (result.kind === 'open') return { opened: result.opened };
    const mayWait = result.kind === 'no_session' && queue.shrink();
    turn.release();
    if (!mayWait || refusals > MAX_REFUSALS) throw new ConnectionFault(result);
  }
}

/** The limit shrinks with every refusal, so that this is never reached by a server that keeps a limit. */
const MAX_REFUSALS = 20;
const TRIES = 3;

// A session that has just closed is freed only after the server has answered what arrived with its close: the answer
// to one more try comes after that.
async function executeAgain<T>(
  client: SessionOpener,
  line: string,
  limits: OpeningLimits,
  onOpen: (channel: ClientChannel) => T,
): Promise<Execution<T>> {
  for (let tries = 1; ; tries++) {
    const result = await execute(client, line, limits, onOpen);
    if (result.kind !== 'no_session' || tries === TRIES) return result;
  }
}

type Execution<T> = { readonly kind: 'open'; readonly opened: T } | Failure;
type Failure =
  | { readonly kind: 'no_session' | 'line_refused' | 'end_unknown' }
  | { readonly kind: 'lost'; readonly serverSaid: string };

function execute<T>(
  client: SessionOpener,
  line: string,
  limits: OpeningLimits,
  onOpen: (channel: ClientChannel) => T,
): Promise<Execution<T>> {
  return new Promise((resolve) => {
    let isLate = false;
    const cancel = limits.clock.after(limits.timeoutMs, () => {
      isLate = true;
      resolve({ kind: 'end_unknown' });
    });
    try {
      client.exec(line, (error, channel) => {
        cancel();
        if (error !== undefined) return resolve(failureOf(error));
        if (isLate) return dropLate(channel);
        return resolve({ kind: 'open', opened: onOpen(channel) });
      });
    } catch {
      cancel();
      resolve(LOST);
    }
  });
}

const LOST: Failure = { kind: 'lost', serverSaid: 'closed' };

function dropLate(channel: ClientChannel): void {
  killChannel(channel);
  channel.close();
}

// A refused channel has the server's reason; a refused line is the library's own sentence.
function failureOf(error: Error): Failure {
  if ('reason' in error) return { kind: 'no_session' };
  return error.message === 'Unable to exec' ? { kind: 'line_refused' } : LOST;
}
