// A real OpenSSH server on a loopback port for tests, with host keys and accounts of its own.
// Called by tests and by the areas that need login shells, as root. It ends by its pid, with what it started.

import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { findProgram } from './real-parts.js';
import { openAccounts, type AccountWish, type TestAccount } from './test-accounts.js';

export interface TestServerWishes {
  readonly accounts: readonly AccountWish[];
  /** A further public key line that may log in to every account. */
  readonly authorizedKey?: string;
  /** Lines for sshd_config; they win over the defaults. */
  readonly sshdOptions?: readonly string[];
  /** Types of host key, default ed25519 and ecdsa (an RSA key takes seconds to make). */
  readonly hostKeyTypes?: readonly ('ed25519' | 'ecdsa' | 'rsa')[];
  /** Set for every session, as HOME=… for an account whose own start-up files must not run. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Programs that come first on the accounts' PATH: name → content with its `#!` line. */
  readonly programs?: Readonly<Record<string, string>>;
}

export interface TestServer {
  readonly host: string;
  readonly port: number;
  readonly pid: number;
  /** Every account, and root where wanted, lets this key in (OpenSSH form, not encrypted). A fresh copy each time. */
  readonly clientKey: () => Buffer;
  readonly clientKeyPath: string;
  /** The server's keys as known_hosts lines for its host and port. */
  readonly knownHosts: string;
  /** What the accounts find programs on, in order. */
  readonly path: readonly string[];
  /** The account of a login shell or of a name. */
  readonly account: (name: string) => TestAccount;
  /** Processes that this server's sessions left running: pid and command line. */
  readonly processes: () => readonly { readonly pid: number; readonly command: string }[];
  /** What sshd wrote on stderr. */
  readonly log: () => string;
  /** Ends the server and what its sessions left, and gives the accounts back. */
  readonly close: () => Promise<void>;
}

const HOST = '127.0.0.1';
const ROOT = '/var/lib/locks-test/servers';

export async function openTestServer(wishes: TestServerWishes): Promise<TestServer> {
  const { accounts, close: closeAccounts } = openAccounts(wishes.accounts);
  mkdirSync(ROOT, { recursive: true, mode: 0o755 });
  mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  const folder = mkdtempSync(join(ROOT, 's-'));
  execFileSync('chmod', ['755', folder]);
  const id = randomBytes(8).toString('hex');
  const clientKeyPath = createKey(folder, 'client', 'ed25519');
  const hostKeys = (wishes.hostKeyTypes ?? ['ed25519', 'ecdsa']).map((type) =>
    createKey(folder, `host_${type}`, type),
  );
  authorize(folder, [...accounts.map(({ name }) => name), 'root'], clientKeyPath, wishes.authorizedKey);
  writePrograms(folder, wishes.programs ?? {});
  const { child, port, log } = await startServer(folder, id, hostKeys, wishes);
  const clear = (): void => {
    for (const { pid } of processesOf(id)) killQuietly(pid);
    rmSync(folder, { recursive: true, force: true });
    closeAccounts();
  };
  process.once('exit', clear);
  return {
    host: HOST,
    port,
    pid: child.pid ?? 0,
    clientKey: () => readFileSync(clientKeyPath),
    clientKeyPath,
    knownHosts: hostKeys.map((path) => `[${HOST}]:${port} ${publicKey(path)}\n`).join(''),
    path: pathOf(folder),
    account: (name) => {
      const account = accounts.find((entry) => entry.name === name || entry.name === `lk-${name}`);
      if (account === undefined) throw new Error(`no test account ${name}`);
      return account;
    },
    processes: () => processesOf(id),
    log,
    close: async () => {
      process.off('exit', clear);
      await stop(child);
      clear();
    },
  };
}

function createKey(folder: string, name: string, type: string): string {
  const path = join(folder, name);
  execFileSync('ssh-keygen', ['-q', '-t', type, '-N', '', '-C', '', '-f', path], { stdio: 'pipe' });
  return path;
}

function publicKey(path: string): string {
  return readFileSync(`${path}.pub`, 'utf8').trim();
}

function authorize(
  folder: string,
  names: readonly string[],
  clientKey: string,
  more: string | undefined,
): void {
  mkdirSync(join(folder, 'keys'), { mode: 0o755 });
  const lines = [publicKey(clientKey), ...(more === undefined ? [] : [more.trim()])];
  for (const name of names)
    writeFileSync(join(folder, 'keys', name), `${lines.join('\n')}\n`, { mode: 0o644 });
}

function writePrograms(folder: string, programs: Readonly<Record<string, string>>): void {
  mkdirSync(join(folder, 'bin'), { mode: 0o755 });
  for (const [name, content] of Object.entries(programs)) {
    writeFileSync(join(folder, 'bin', name), content, { mode: 0o755 });
  }
}

function pathOf(folder: string): readonly string[] {
  return [join(folder, 'bin'), '/usr/local/bin', '/usr/bin', '/bin'];
}

interface Started {
  readonly child: ChildProcess;
  readonly port: number;
  readonly log: () => string;
}

// A free port can be taken by somebody else before sshd binds it: then the next one is tried.
async function startServer(
  folder: string,
  id: string,
  hostKeys: readonly string[],
  wishes: TestServerWishes,
): Promise<Started> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const port = await freePort();
    const config = join(folder, 'sshd_config');
    writeFileSync(config, renderConfig(folder, id, port, hostKeys, wishes));
    const started = await tryStart(config, port);
    if (started !== null) return started;
  }
  throw new Error('sshd did not start');
}

function renderConfig(
  folder: string,
  id: string,
  port: number,
  hostKeys: readonly string[],
  wishes: TestServerWishes,
): string {
  const environment = { ...wishes.environment, PATH: pathOf(folder).join(':'), LK_TEST_SERVER: id };
  return [
    // sshd takes the first value of an option.
    ...(wishes.sshdOptions ?? []),
    `Port ${port}`,
    `ListenAddress ${HOST}`,
    ...hostKeys.map((key) => `HostKey ${key}`),
    `AuthorizedKeysFile ${join(folder, 'keys')}/%u`,
    'PidFile none',
    'UsePAM no',
    'UseDNS no',
    'PermitRootLogin prohibit-password',
    'PasswordAuthentication yes',
    'KbdInteractiveAuthentication no',
    'MaxStartups 200',
    'LogLevel VERBOSE',
    `SetEnv ${Object.entries(environment)
      .map((entry) => entry.join('='))
      .join(' ')}`,
    '',
  ].join('\n');
}

// The server dies with us, however we end: a killed test run leaves no server behind.
function tryStart(config: string, port: number): Promise<Started | null> {
  const sshd = findProgram('sshd') ?? 'sshd';
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', sshd, '-D', '-e', '-f', config], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let text = '';
  return new Promise((resolve) => {
    child.stderr.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      if (/Server listening on/u.test(text)) resolve({ child, port, log: () => text });
    });
    child.once('exit', () => {
      resolve(null);
    });
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, HOST, () => {
      const address = server.address();
      server.close(() => {
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });
  });
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) {
      resolve();
      return;
    }
    child.once('exit', () => {
      resolve();
    });
    child.kill('SIGTERM');
  });
}

/** Found by the mark that the server puts into its sessions' environment, so that no other process is ever meant. */
function processesOf(id: string): readonly { readonly pid: number; readonly command: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name) && readProc(name, 'environ').includes(`LK_TEST_SERVER=${id}\0`))
    .map((name) => ({ pid: Number(name), command: readProc(name, 'cmdline').replaceAll('\0', ' ').trim() }));
}

function readProc(pid: string, file: string): string {
  try {
    return existsSync(`/proc/${pid}`) ? readFileSync(`/proc/${pid}/${file}`, 'utf8') : '';
  } catch {
    return '';
  }
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
}
