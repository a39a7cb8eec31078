// Connections to the shared record's database: transactions of one writer at a time, a listener that comes back by
// itself. Used by postgres-store.ts alone. Whatever the database or the network says becomes a StoreFault: after it
// nobody knows whether a change was made, and the same change may be asked again.
import pg from 'pg';
import { StoreFault } from './ticket-store.js';

export interface PostgresOptions {
  /** As libpq takes it: `postgres://user@host/database`, or a socket's folder in `?host=`. */
  readonly connectionString: string;
  /** Returns a function that takes the timer back. */
  readonly later: (ms: number, call: () => void) => () => void;
}

export type Query = (
  text: string,
  values?: readonly unknown[],
) => Promise<readonly Record<string, unknown>[]>;

const CHANNEL = 'lockkit_hub';
const TIMEOUT_MS = 8000;
const AGAIN_MS = 500;

export class PostgresLink {
  readonly #options: PostgresOptions;
  readonly #pool: pg.Pool;
  readonly #onSignal: () => void;
  #listener: pg.Client | undefined;
  #closed = false;

  constructor(options: PostgresOptions, onSignal: () => void) {
    this.#options = options;
    this.#onSignal = onSignal;
    this.#pool = new pg.Pool({ ...this.#settings(), max: 4 });
    // An idle connection that broke is replaced by the pool; whoever asks next is told.
    this.#pool.on('error', () => undefined);
  }

  async query(text: string, values: readonly unknown[] = []): ReturnType<Query> {
    try {
      return (await this.#pool.query(text, [...values])).rows as readonly Record<string, unknown>[];
    } catch (error) {
      throw asFault(error);
    }
  }

  /** Runs `work` in one transaction. What it throws itself undoes the transaction and is thrown on. */
  async transact<T>(work: (query: Query) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw asFault(error);
    });
    // While it is out of the pool, its loss is told by its next query.
    const ignore = (): void => undefined;
    client.on('error', ignore);
    let isWhole = false;
    try {
      const query: Query = async (text, values = []) => {
        try {
          return (await client.query(text, [...values])).rows as readonly Record<string, unknown>[];
        } catch (error) {
          throw asFault(error);
        }
      };
      await query('begin');
      const result = await work(query);
      await query('commit');
      isWhole = true;
      return result;
    } finally {
      client.off('error', ignore);
      // A connection whose transaction did not end well is not used again.
      client.release(!isWhole);
    }
  }

  /** Listens for other hubs' changes, and after every loss tells once that something may have been missed. */
  async listen(): Promise<void> {
    const client = new pg.Client(this.#settings());
    const again = (): void => {
      if (this.#listener !== client) return;
      this.#listener = undefined;
      void client.end().catch(() => undefined);
      if (!this.#closed) this.#options.later(AGAIN_MS, () => void this.#listenAgain());
    };
    client.on('error', again);
    client.on('end', again);
    client.on('notification', this.#onSignal);
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
    } catch (error) {
      await client.end().catch(() => undefined);
      throw asFault(error);
    }
    if (this.#closed) return client.end();
    this.#listener = client;
    this.#onSignal();
  }

  async close(): Promise<void> {
    this.#closed = true;
    const listener = this.#listener;
    this.#listener = undefined;
    await Promise.allSettled([listener?.end(), this.#pool.end()]);
  }

  async #listenAgain(): Promise<void> {
    if (this.#closed) return;
    await this.listen().catch(() => {
      this.#options.later(AGAIN_MS, () => void this.#listenAgain());
    });
  }

  #settings(): pg.ClientConfig {
    return {
      connectionString: this.#options.connectionString,
      application_name: 'lockkit-hub',
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
      statement_timeout: TIMEOUT_MS,
      lock_timeout: TIMEOUT_MS,
      keepAlive: true,
      options: '-c synchronous_commit=on -c search_path=lockkit_hub',
    };
  }
}

/** Told to every hub when the transaction is committed. */
export const SIGNAL_CHANGE = `select pg_notify('${CHANNEL}', '')`;

function asFault(error: unknown): StoreFault {
  if (error instanceof StoreFault) return error;
  const { code } = error as { readonly code?: unknown };
  return new StoreFault(
    `the database refused or was lost: ${typeof code === 'string' ? code : 'no connection'}`,
  );
}
