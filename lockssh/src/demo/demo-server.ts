// A real OpenSSH server for the demo: its own keys, a loopback port, a throwaway folder, gone when the demo ends.
// Called by the demo only; it never touches the machine's own server or its configuration.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { join } from 'node:path';
import { UserMistake } from 'lockkit/contract';

const SSHD = '/usr/sbin/sshd';

export interface DemoServer {
  readonly port: number;
  readonly keyFile: string;
  /** Holds the server's key, as a careful administrator would have put it there. */
  readonly knownHostsFile: string;
  readonly stop: () => void;
}

function makeKey(path: string): void {
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'demo', '-f', path]);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

function configOf(folder: string, port: number): string {
  return [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${join(folder, 'host_key')}`,
    `AuthorizedKeysFile ${join(folder, 'authorized_keys')}`,
    'StrictModes no',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'UsePAM no',
    'PermitRootLogin prohibit-password',
    // The account's own start-up files have no part in the demo, and may take seconds.
    `SetEnv HOME=${folder}`,
    'PidFile none',
    'LogLevel QUIET',
    '',
  ].join('\n');
}

/** Resolves once the port answers; a server that ends first is a fault of the machine. */
function answers(port: number, child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new UserMistake('sshd did not start: see its message above')));
    const attempt = (): void => {
      const probe = createConnection(port, '127.0.0.1');
      probe.once('connect', () => {
        probe.destroy();
        resolve();
      });
      probe.once('error', () => setTimeout(attempt, 50));
    };
    attempt();
  });
}

export async function openDemoServer(folder: string): Promise<DemoServer> {
  if (!existsSync(SSHD)) throw new UserMistake('the demo needs a real SSH server: install openssh-server');
  makeKey(join(folder, 'host_key'));
  makeKey(join(folder, 'id_demo'));
  execFileSync('cp', [join(folder, 'id_demo.pub'), join(folder, 'authorized_keys')]);
  const port = await freePort();
  const config = join(folder, 'sshd_config');
  writeFileSync(config, configOf(folder, port), { mode: 0o600 });
  // As root sshd wants this folder of its own; for everybody else it does without.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  const child = spawn(SSHD, ['-D', '-e', '-f', config], { stdio: ['ignore', 'ignore', 'inherit'] });
  await answers(port, child);
  const knownHostsFile = join(folder, 'known_hosts');
  writeFileSync(knownHostsFile, `[127.0.0.1]:${port} ${readFileSync(join(folder, 'host_key.pub'), 'utf8')}`, {
    mode: 0o600,
  });
  return { port, keyFile: join(folder, 'id_demo'), knownHostsFile, stop: () => void child.kill() };
}
