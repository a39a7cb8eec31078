// The live connection: runs lines side by side, knows who it is, and says when it is gone.
// Made by openConnection alone and held by the console. After an end that nobody saw it takes no new run.

import { setMaxListeners } from 'node:events';
import type { Client } from 'ssh2';
import { encodeRemoteLine } from '../remote-line/encode-remote-line.js';
import type { Clock } from './clock.js';
import { ConnectionFault, printable, type ConnectionCause } from './connection-fault.js';
import type { ConnectionLimits } from './limits.js';
import { encodeForm, runLogin, type LoginAnswer } from './login.js';
import { openSession } from './open-session.js';
import { watchRun, type RunEnd, type RunLimits } from './run-line.js';
import { SessionQueue } from './session-queue.js';

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
  /** Runs an argv that was checked and allowed. Throws ConnectionFault when nothing was started. */
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
  readonly #line: Line;
  readonly #answer: LoginAnswer;

  private constructor(line: Line, user: string, answer: LoginAnswer) {
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
  ): Promise<Connection> {
    const line = new Line(client, clock, limits);
    const ask = (text: string, timeoutMs: number): Promise<RunEnd> =>
      line.run(text, {
        timeoutMs,
        maxOutputBytes: PROBE_OUTPUT_BYTES,
        lookAheadBytes: 0,
        remoteKillAfterMs: 0,
        signal: null,
      });
    try {
      const answer = await runLogin(ask, nonce, {
        probeTimeoutMs: limits.probeTimeoutMs,
        killProbeMs: KILL_PROBE_MS,
      });
      line.dropAfterUnknownEnd();
      return new LiveConnection(line, user, answer);
    } catch (error) {
      await line.close();
      throw error;
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

/** One client, its queue of sessions and its end. */
class Line {
  readonly lost: Promise<ConnectionCause>;
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #limits: ConnectionLimits;
  readonly #queue: SessionQueue;
  readonly #closed: Promise<void>;
  readonly #gone = new AbortController();
  #cause: ConnectionCause | null = null;
  #isClosed = false;
  #dropsAfterUnknownEnd = false;
  #running = 0;
  #tellLost: (cause: ConnectionCause) => void = () => undefined;

  constructor(client: Client, clock: Clock, limits: ConnectionLimits) {
    this.#client = client;
    this.#clock = clock;
    this.#limits = limits;
    this.#queue = new SessionQueue(limits.maxSessions);
    // Every run that waits listens; their number is bounded by the console's own limits.
    setMaxListeners(0, this.#gone.signal);
    this.lost = new Promise((resolve) => {
      this.#tellLost = resolve;
    });
    this.#closed = new Promise((resolve) => {
      client.on('close', () => {
        this.#isClosed = true;
        this.#end({ kind: 'lost', serverSaid: 'closed by the server' });
        resolve();
      });
    });
    client.on('error', (error) => {
      this.#end({ kind: 'lost', serverSaid: printable(error.message) });
      client.destroy();
    });
  }

  dropAfterUnknownEnd(): void {
    this.#dropsAfterUnknownEnd = true;
  }

  async run(text: string, limits: RunLimits): Promise<RunEnd> {
    if (this.#cause !== null) throw new ConnectionFault(this.#cause);
    this.#running++;
    try {
      const { channel, turn } = await openSession(this.#client, this.#queue, text, {
        clock: this.#clock,
        timeoutMs: this.#limits.openTimeoutMs,
        signal:
          limits.signal === null ? this.#gone.signal : AbortSignal.any([limits.signal, this.#gone.signal]),
      });
      channel.once('close', turn.release);
      const end = await watchRun(channel, limits, this.#clock, this.#limits, () => this.#isClosed);
      if (end.ended === 'unknown' && this.#dropsAfterUnknownEnd) this.#end({ kind: 'end_unknown' });
      return end;
    } catch (error) {
      if (error instanceof ConnectionFault && error.cause.kind === 'end_unknown') this.#end(error.cause);
      throw error;
    } finally {
      this.#running--;
      this.#closeIfUnused();
    }
  }

  async close(): Promise<void> {
    this.#end({ kind: 'closed' });
    this.#client.end();
    const cancel = this.#clock.after(this.#limits.graceMs, () => this.#client.destroy());
    if (!this.#isClosed) await this.#closed;
    cancel();
  }

  #end(cause: ConnectionCause): void {
    if (this.#cause !== null) return;
    this.#cause = cause;
    this.#tellLost(cause);
    this.#gone.abort(new ConnectionFault(cause));
    this.#closeIfUnused();
  }

  // Others may still run when the end of one is unknown: they finish, then the connection goes.
  #closeIfUnused(): void {
    if (this.#cause !== null && this.#running === 0) this.#client.end();
  }
}
