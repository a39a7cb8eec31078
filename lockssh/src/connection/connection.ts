// The live connection: runs lines side by side, knows who it is, and says when it is gone.
// Made by openConnection alone and held by the console. After an end that nobody saw it takes no new run.

import type { Client } from 'ssh2';
import { encodeRemoteLine } from '../remote-line/encode-remote-line.js';
import { ClientSessions } from './client-sessions.js';
import type { Clock } from './clock.js';
import { ConnectionFault, type ConnectionCause } from './connection-fault.js';
import type { ConnectionLimits } from './limits.js';
import { encodeForm, runLogin, type LoginAnswer } from './login.js';
import type { RunEnd } from './run-line.js';

/** The limits of one run; the console takes them from the profile. */
export interface RunOptions {
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly lookAheadBytes: number;
  readonly signal?: AbortSignal;
}

export interface Account {
  readonly user: string;
  readonly uid: number;
}

export interface Connection {
  readonly account: Account;
  /** The login shell's name as the server told it, for messages alone. */
  readonly shellName: string;
  readonly canEndProcesses: boolean;
  /**
   * Runs an argv that was checked and allowed. Throws ConnectionFault when nothing was started, and the signal's own
   * reason when it was aborted before its turn; once started it always answers.
   */
  readonly run: (argv: readonly string[], options: RunOptions) => Promise<RunEnd>;
  /** Resolves once, when no further run is possible: closed, lost, or a process that did not end. */
  readonly lost: Promise<ConnectionCause>;
  /** Ends the connection; what runs is reported as lost. Resolves when the socket is closed. */
  readonly close: () => Promise<void>;
}

const PROBE_OUTPUT_BYTES = 256 * 1024;
const KILL_PROBE_MS = 20;

export class LiveConnection implements Connection {
  readonly account: Account;
  readonly shellName: string;
  readonly canEndProcesses: boolean;
  readonly lost: Promise<ConnectionCause>;
  readonly #line: ClientSessions;
  readonly #answer: LoginAnswer;

  private constructor(line: ClientSessions, user: string, answer: LoginAnswer) {
    this.#line = line;
    this.#answer = answer;
    this.account = { user, uid: answer.uid };
    this.shellName = answer.shell.name;
    this.canEndProcesses = answer.canEndProcesses;
    this.lost = line.lost;
  }

  /** Asks the server what must be known before any run. The client is closed when the login fails. */
  static async open(
    client: Client,
    user: string,
    nonce: string,
    clock: Clock,
    limits: ConnectionLimits,
    signal: AbortSignal | null,
  ): Promise<Connection> {
    const line = new ClientSessions(client, clock, limits);
    const onAbort = (): void => {
      line.abandon({ kind: 'aborted' });
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      if (signal?.aborted === true) onAbort();
      const answer = await runLogin((text, timeoutMs) => askFixed(line, text, timeoutMs), nonce, {
        probeTimeoutMs: limits.probeTimeoutMs,
        killProbeMs: KILL_PROBE_MS,
      });
      line.dropAfterUnknownEnd();
      return new LiveConnection(line, user, answer);
    } catch (error) {
      await line.close();
      throw error;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  readonly run = async (argv: readonly string[], options: RunOptions): Promise<RunEnd> => {
    const form = encodeForm(this.#answer.form, options.timeoutMs);
    const text = encodeRemoteLine(argv, this.#answer.shell, form);
    const remoteKillAfterMs =
      form.kind === 'timeout' ? this.#remoteKillAfterMs(form.seconds, options.timeoutMs) : 0;
    return await this.#line.run(text, { ...options, remoteKillAfterMs, signal: options.signal ?? null });
  };

  // The server's clock starts when its start-up files are through, ours when the line is sent.
  #remoteKillAfterMs(seconds: number, timeoutMs: number): number {
    return seconds * 1000 - timeoutMs + 2 * this.#answer.startUpMs;
  }

  readonly close = async (): Promise<void> => {
    await this.#line.close();
  };
}

/** One of the login's own lines. A link that goes while it is asked is no answer of the shell. */
async function askFixed(line: ClientSessions, text: string, timeoutMs: number): Promise<RunEnd> {
  const end = await line.run(text, {
    timeoutMs,
    maxOutputBytes: PROBE_OUTPUT_BYTES,
    lookAheadBytes: 0,
    remoteKillAfterMs: 0,
    signal: null,
  });
  if (line.cause !== null) throw new ConnectionFault(line.cause);
  return end;
}
