// Runs argvs on real login shells through the product's own connection, for the kinds that ask what arrives there.
// Called by area A2. It starts at the first use and ends by itself when nobody used it for a while, so that a run of
// the suite leaves no server and no account behind.

import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openConnection, type Connection, type RunEnd } from '@lockkit/lockssh/connection';
import { requireReal, type RealPart } from './real-parts.js';
import { LOGIN_SHELLS, type LoginShell } from './test-accounts.js';
import { openTestServer, type TestServer, type TestServerWishes } from './test-server.js';

export interface BenchResult {
  readonly end: RunEnd;
  /** Something new in the account's home folder, where every line starts. */
  readonly hasSideEffect: boolean;
  /** A file of the program's name is on the account's PATH. */
  readonly isFile: boolean;
}

const PARTS: readonly RealPart[] = ['root', 'sshd', 'ssh-keygen', 'useradd', 'setpriv', 'busybox'];
const LIMITS = { timeoutMs: 30_000, maxOutputBytes: 1 << 20, lookAheadBytes: 0 };
const IDLE_MS = 1_500;

export class LoginBench {
  readonly #programs: NonNullable<TestServerWishes['programs']>;
  #server: Promise<TestServer> | null = null;
  readonly #connections = new Map<LoginShell, Promise<Connection>>();
  #last: Promise<unknown> = Promise.resolve();
  #idle: NodeJS.Timeout | undefined;

  constructor(programs: NonNullable<TestServerWishes['programs']>) {
    this.#programs = programs;
  }

  /** One at a time, in the order of the calls: a side effect has one cause. Throws where a real part is missing. */
  run(shell: LoginShell, argv: readonly string[]): Promise<BenchResult> {
    clearTimeout(this.#idle);
    const result = this.#last.then(() => this.#runNow(shell, argv));
    this.#last = result.catch(() => undefined).then(() => this.#rest());
    return result;
  }

  /** Ends the server now, when nobody uses it any more. */
  close(): Promise<void> {
    clearTimeout(this.#idle);
    const closed = this.#last.then(() => this.#close());
    this.#last = closed;
    return closed;
  }

  async #runNow(shell: LoginShell, argv: readonly string[]): Promise<BenchResult> {
    const server = await this.#openServer();
    const connection = await this.#openConnection(server, shell);
    const { home } = server.account(shell);
    const before = visibleIn(home);
    const end = await connection.run(argv, LIMITS);
    const added = visibleIn(home).filter((name) => !before.includes(name));
    for (const name of added) rmSync(join(home, name), { recursive: true, force: true });
    return {
      end,
      hasSideEffect: added.length > 0,
      isFile: server.path.some((folder) => isFileIn(folder, argv[0])),
    };
  }

  #openServer(): Promise<TestServer> {
    if (!requireReal([...PARTS, ...LOGIN_SHELLS.filter((shell) => shell !== 'ash')])) {
      throw new Error('a real SSH server with its login shells is needed here (see stderr)');
    }
    this.#server ??= openTestServer({ accounts: LOGIN_SHELLS, programs: this.#programs });
    return this.#server;
  }

  #openConnection(server: TestServer, shell: LoginShell): Promise<Connection> {
    const opened = this.#connections.get(shell);
    if (opened !== undefined) return opened;
    const connection = openConnection({
      host: server.host,
      port: server.port,
      user: server.account(shell).name,
      auth: { kind: 'key', privateKey: server.clientKey() },
      knownHosts: { kind: 'file-only', text: server.knownHosts },
    });
    this.#connections.set(shell, connection);
    return connection;
  }

  #rest(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      void this.close();
    }, IDLE_MS);
  }

  async #close(): Promise<void> {
    const server = this.#server;
    const connections = [...this.#connections.values()];
    this.#server = null;
    this.#connections.clear();
    for (const connection of await Promise.allSettled(connections)) {
      if (connection.status === 'fulfilled') await connection.value.close();
    }
    await (await server)?.close();
  }
}

/** Names that a line could have made; dot files are the shells' own. */
function visibleIn(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) => !name.startsWith('.'));
}

function isFileIn(folder: string, name: string | undefined): boolean {
  if (name === undefined || name === '' || name.includes('/')) return false;
  return statSync(join(folder, name), { throwIfNoEntry: false })?.isFile() ?? false;
}
