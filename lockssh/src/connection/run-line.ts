// Runs one line on the server and says how it ended: the only effect of this lock ("Output", "Profiles": limits).
// Called by the connection and by its login. An end that was not seen is never said to have been seen, and a missing
// exit status is never 0.

import type { ClientChannel } from 'ssh2';
import type { Clock } from './clock.js';
import type { ConnectionLimits } from './limits.js';
import { OutputBuffer } from './output-buffer.js';
import { killChannel } from './signal-channel.js';

export type RunEndKind = 'exited' | 'signalled' | 'timed_out' | 'aborted' | 'no_status' | 'lost';

/** How a run ended. `stdout` and `stderr` reach past maxOutputBytes by up to lookAheadBytes, for the masking to see. */
export interface RunEnd {
  readonly kind: RunEndKind;
  /** With `exited` alone. */
  readonly exitStatus?: number;
  /** With `signalled` alone, as `SIGKILL`. */
  readonly signal?: string;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly stdoutTruncated: boolean;
  readonly stderrTruncated: boolean;
  /** `cut`: bytes may be missing at the end (dropped, or ended by timeout, signal, loss or grace). */
  readonly stdoutEnd: 'complete' | 'cut';
  readonly stderrEnd: 'complete' | 'cut';
  /** Whole milliseconds from the server's word that the line runs. */
  readonly durationMs: number;
  /** `confirmed`: the server said that the process ended. */
  readonly ended: 'confirmed' | 'unknown';
}

export interface RunLimits {
  readonly timeoutMs: number;
  /** Per stream, before masking. */
  readonly maxOutputBytes: number;
  readonly lookAheadBytes: number;
  /** How long after timeoutMs the server itself ends the process (the timeout form); 0 in the plain form. */
  readonly remoteKillAfterMs: number;
  readonly signal: AbortSignal | null;
}

/** Resolves once, when the run is over or its end is given up on. Never rejects. */
export function watchRun(
  channel: ClientChannel,
  limits: RunLimits,
  clock: Clock,
  bounds: ConnectionLimits,
  isLost: () => boolean,
): Promise<RunEnd> {
  return new Promise((resolve) => {
    new Run(channel, limits, clock, bounds, isLost, resolve).start();
  });
}

interface Exit {
  readonly status: number | null;
  readonly signal: string | null;
}

class Run {
  readonly #channel: ClientChannel;
  readonly #limits: RunLimits;
  readonly #clock: Clock;
  readonly #bounds: ConnectionLimits;
  readonly #isLost: () => boolean;
  readonly #resolve: (end: RunEnd) => void;
  readonly #stdout: OutputBuffer;
  readonly #stderr: OutputBuffer;
  readonly #startedAtMs: number;
  #exit: Exit | null = null;
  #stop: 'timed_out' | 'aborted' | null = null;
  #openEnds = 3;
  #isOver = false;
  #cancelGrace: () => void = () => undefined;
  readonly #timers: (() => void)[] = [];

  constructor(
    channel: ClientChannel,
    limits: RunLimits,
    clock: Clock,
    bounds: ConnectionLimits,
    isLost: () => boolean,
    resolve: (end: RunEnd) => void,
  ) {
    this.#channel = channel;
    this.#limits = limits;
    this.#clock = clock;
    this.#bounds = bounds;
    this.#isLost = isLost;
    this.#resolve = resolve;
    this.#stdout = new OutputBuffer(limits.maxOutputBytes, limits.lookAheadBytes);
    this.#stderr = new OutputBuffer(limits.maxOutputBytes, limits.lookAheadBytes);
    this.#startedAtMs = clock.nowMs();
  }

  start(): void {
    const channel = this.#channel;
    channel.on('data', (chunk: Buffer) => {
      this.#collect(this.#stdout, chunk);
    });
    channel.stderr.on('data', (chunk: Buffer) => {
      this.#collect(this.#stderr, chunk);
    });
    channel.on('exit', (status: number | null, signal?: string) => {
      this.#onExit({ status, signal: signal ?? null });
    });
    for (const [stream, event] of [
      [channel, 'end'],
      [channel.stderr, 'end'],
      [channel, 'close'],
    ] as const) {
      stream.once(event, this.#onEndOfOne);
    }
    channel.on('error', () => undefined);
    this.#limits.signal?.addEventListener('abort', this.#onAbort, { once: true });
    this.#timers.push(this.#clock.after(this.#limits.timeoutMs, this.#onDeadline));
    // Programs that read stdin (cat, grep without a file) see its end at once.
    channel.end();
    if (this.#limits.signal?.aborted === true) this.#onAbort();
  }

  #collect(buffer: OutputBuffer, chunk: Buffer): void {
    if (this.#isOver) return;
    buffer.add(chunk);
    if (this.#exit !== null) this.#awaitSilence();
  }

  // The exit status may come before the last output: the channel's end is waited for, but not for a background child.
  #onExit(exit: Exit): void {
    if (this.#isOver || this.#exit !== null) return;
    this.#exit = exit;
    this.#awaitSilence();
  }

  #awaitSilence(): void {
    this.#cancelGrace();
    this.#cancelGrace = this.#clock.after(this.#bounds.graceMs, () => {
      this.#leave();
    });
  }

  readonly #onEndOfOne = (): void => {
    this.#openEnds--;
    if (this.#openEnds === 0) this.#finish(true);
  };

  readonly #onAbort = (): void => {
    this.#end('aborted');
  };

  readonly #onDeadline = (): void => {
    if (this.#exit === null) this.#end('timed_out');
    else this.#leave();
  };

  #end(why: 'timed_out' | 'aborted'): void {
    if (this.#isOver || this.#stop !== null || this.#exit !== null) return;
    this.#stop = why;
    killChannel(this.#channel);
    this.#timers.push(
      this.#clock.after(this.#bounds.killAgainMs, () => {
        if (!this.#isOver) killChannel(this.#channel);
      }),
      this.#clock.after(this.#limits.remoteKillAfterMs + this.#bounds.killGraceMs, () => {
        this.#leave();
      }),
    );
  }

  #leave(): void {
    if (this.#isOver) return;
    this.#finish(false);
    this.#channel.close();
  }

  #finish(isWhole: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#cancelGrace();
    for (const cancel of this.#timers) cancel();
    this.#limits.signal?.removeEventListener('abort', this.#onAbort);
    this.#resolve(this.#report(isWhole));
  }

  #report(isWhole: boolean): RunEnd {
    const durationMs = this.#clock.nowMs() - this.#startedAtMs;
    const how = decideEnd(this.#exit, this.#stop, durationMs >= this.#limits.timeoutMs, this.#isLost());
    const stdout = this.#stdout.take();
    const stderr = this.#stderr.take();
    const isComplete = isWhole && how.kind === 'exited';
    return {
      ...how,
      stdout: stdout.bytes,
      stderr: stderr.bytes,
      stdoutTruncated: stdout.isTruncated,
      stderrTruncated: stderr.isTruncated,
      stdoutEnd: isComplete && !stdout.isDropped ? 'complete' : 'cut',
      stderrEnd: isComplete && !stderr.isDropped ? 'complete' : 'cut',
      durationMs: Math.round(durationMs),
      ended: this.#exit === null ? 'unknown' : 'confirmed',
    };
  }
}

type HowEnded = Pick<RunEnd, 'kind' | 'exitStatus' | 'signal'>;

const KILLED_BY_TIMEOUT = 137;

/** `isLate`: the time was over. A KILL that late is the timeout's own, whichever of the two clocks rang first. */
function decideEnd(
  exit: Exit | null,
  stop: 'timed_out' | 'aborted' | null,
  isLate: boolean,
  isLost: boolean,
): HowEnded {
  if (stop !== null) return { kind: stop };
  if (exit === null) return { kind: isLost ? 'lost' : 'no_status' };
  const isKilled = exit.signal === 'SIGKILL' || exit.status === KILLED_BY_TIMEOUT;
  if (isLate && isKilled) return { kind: 'timed_out' };
  if (exit.status === null) return { kind: 'signalled', signal: exit.signal ?? 'SIGKILL' };
  return { kind: 'exited', exitStatus: exit.status };
}
