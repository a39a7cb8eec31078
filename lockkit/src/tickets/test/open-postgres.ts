// A real PostgreSQL of the machine's package for tests: its own data folder, no network, run as an account that is not
// root. It can be killed and started again.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PACKAGES = '/usr/lib/postgresql';
const NOBODY = 65534;

function programs(): string | undefined {
  const versions = existsSync(PACKAGES) ? readdirSync(PACKAGES).sort((a, b) => Number(b) - Number(a)) : [];
  return versions
    .map((version) => join(PACKAGES, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'initdb')));
}

/** false where the package is missing; with CI=true that is an error. */
export function hasPostgres(): boolean {
  const found = programs() !== undefined;
  if (!found && process.env['CI'] === 'true') throw new Error('this machine has no PostgreSQL package');
  return found;
}

export interface TestPostgres {
  readonly connectionString: string;
  /** SIGKILL to the server and all its processes. */
  readonly kill: () => Promise<void>;
  readonly start: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export async function openTestPostgres(): Promise<TestPostgres> {
  const bin = programs() as string;
  const folder = mkdtempSync(join(tmpdir(), 'lock-pg-'));
  const [data, sockets] = [join(folder, 'data'), join(folder, 'run')];
  for (const path of [data, sockets]) mkdirSync(path, { mode: 0o700 });
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) for (const path of [folder, data, sockets]) chownSync(path, NOBODY, NOBODY);
  // It ends with the test's process, however that one ends.
  const as = isRoot
    ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--pdeathsig=KILL']
    : [];
  const run = (program: string, ...args: readonly string[]): readonly [string, readonly string[]] => {
    const [first = '', ...rest] = [...as, join(bin, program), ...args];
    return [first, rest];
  };
  const [init, initArgs] = run(
    'initdb',
    '-D',
    data,
    '-U',
    'hub',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--no-locale',
    '-N',
  );
  execFileSync(init, [...initArgs], {
    stdio: 'ignore',
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '' },
  });
  let server: ChildProcess | undefined;
  const connect = `postgres://hub@localhost/postgres?host=${encodeURIComponent(sockets)}`;
  const start = async (): Promise<void> => {
    const [program, args] = run('postgres', '-D', data, '-k', sockets, '-c', 'listen_addresses=');
    server = spawn(program, [...args], {
      stdio: 'ignore',
      cwd: folder,
      detached: true,
      env: { PATH: process.env['PATH'] ?? '' },
    });
    await waitUntilReady(join(bin, 'pg_isready'), sockets, server);
  };
  const kill = async (signal: NodeJS.Signals = 'SIGKILL'): Promise<void> => {
    if (server?.pid === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    // Its own process group: the server and its workers, and nothing else.
    process.kill(-server.pid, signal);
    await ended;
    // Its memory is free for the next one when the last of its workers is gone.
    for (let tries = 0; tries < 100 && isThere(server.pid); tries++)
      await new Promise((resolve) => setTimeout(resolve, 20));
  };
  await start();
  return {
    connectionString: connect,
    kill: () => kill('SIGKILL'),
    start,
    close: async () => {
      await kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function isThere(group: number): boolean {
  try {
    return process.kill(-group, 0);
  } catch {
    return false;
  }
}

async function waitUntilReady(isReady: string, sockets: string, server: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if (server.exitCode !== null || server.signalCode !== null)
      throw new Error('PostgreSQL ended at its start');
    try {
      execFileSync(isReady, ['-h', sockets, '-U', 'hub', '-d', 'postgres'], { stdio: 'ignore' });
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  throw new Error('PostgreSQL did not become ready');
}
