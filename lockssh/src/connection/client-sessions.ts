// The sessions of one SSH client: their turns, and the end of the client. Held by the live connection alone.
// After its end nothing is started, and what waited is told why.

import { setMaxListeners } from 'node:events';
import type { Client } from 'ssh2';
import type { Clock } from './clock.js';
import { ConnectionFault, printable, type ConnectionCause } from './connection-fault.js';
import type { ConnectionLimits } from './limits.js';
import { openSession } from './open-session.js';
import { watchRun, type RunEnd, type RunLimits } from './run-line.js';
import { SessionQueue } from './session-queue.js';

/** One client, its queue of sessions and its end. */
export class ClientSessions {
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
      this.abandon({ kind: 'lost', serverSaid: printable(error.message) });
    });
  }

  /** Why there is no further run; null while there is. */
  get cause(): ConnectionCause | null {
    return this.#cause;
  }

  /** From here on a process whose end is unknown ends the connection: the login's own may outlive its question. */
  dropAfterUnknownEnd(): void {
    this.#dropsAfterUnknownEnd = true;
  }

  async run(text: string, limits: RunLimits): Promise<RunEnd> {
    if (this.#cause !== null) throw new ConnectionFault(this.#cause);
    this.#running++;
    try {
      const opening = {
        clock: this.#clock,
        timeoutMs: this.#limits.openTimeoutMs,
        signal:
          limits.signal === null ? this.#gone.signal : AbortSignal.any([limits.signal, this.#gone.signal]),
      };
      const { opened } = await openSession(this.#client, this.#queue, text, opening, (channel, turn) => {
        channel.once('close', turn.release);
        // In an object: the run is watched from this tick on, and its end is awaited afterwards.
        return { end: watchRun(channel, limits, this.#clock, this.#limits, () => this.#isClosed) };
      });
      const end = await opened.end;
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

  /** Ends the connection at once. */
  abandon(cause: ConnectionCause): void {
    this.#end(cause);
    this.#client.destroy();
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
