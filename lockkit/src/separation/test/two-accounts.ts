// Two real accounts on this machine, and a lock installed between them by its own install command, as root; beside them
// a third that has no part in the lock, for a person who decides. For tests alone. What was installed here before is moved
// aside and comes back; only accounts of these names are removed.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { installPlaces } from '../install/install-places.js';
import { holdMachine } from './machine-lock.js';

export const AGENT = 'lks-agent';
export const CONSOLE = 'lks-console';
export const HUMAN = 'lks-human';
export const CLIENTS = 'lks-clients';
const HOMES = '/var/lib/locks-test-install';

export interface TestPerson {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  readonly home: string;
}

export interface Ran {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunWishes {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

export interface TwoAccounts {
  readonly agent: TestPerson;
  /** Made by the lock's own install. */
  readonly console: TestPerson;
  /** No client, no console account: somebody who decides elsewhere. */
  readonly human: TestPerson;
  /** Runs a program as an account, with all its groups and none of root's rights. */
  readonly runAs: (who: TestPerson, argv: readonly string[], wishes?: RunWishes) => Ran;
  /** What the install command printed. */
  readonly installed: Ran;
  /** Installs again, or takes it off: the flags of the lock's install command. */
  readonly install: (...flags: readonly string[]) => Ran;
  readonly close: () => void;
}

function personOf(name: string): TestPerson | null {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`));
  if (line === undefined) return null;
  const [, , uid, gid, , home = ''] = line.split(':');
  return { name, uid: Number(uid), gid: Number(gid), home };
}

function needPerson(name: string): TestPerson {
  const person = personOf(name);
  if (person === null) throw new Error(`no account ${name}`);
  return person;
}

/** `setpriv` as prefix of a command: the account's uid, gid and groups. */
export function asAccount({ uid, gid }: TestPerson): readonly string[] {
  return ['setpriv', '--reuid', String(uid), '--regid', String(gid), '--init-groups', '--'];
}

export function cleanEnv({ name, home }: TestPerson): Readonly<Record<string, string>> {
  return { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: home, USER: name, LOGNAME: name, LANG: 'C.UTF-8' };
}

function runAs(who: TestPerson, argv: readonly string[], { cwd, env, input }: RunWishes = {}): Ran {
  const [program, ...args] = [...asAccount(who), ...argv] as [string, ...string[]];
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: cwd ?? who.home,
    env: env ?? cleanEnv(who),
    encoding: 'utf8',
    input: input ?? '',
    timeout: 60_000,
  });
  return { exit: status, stdout, stderr };
}

function endProcessesOf(uid: number): void {
  for (const pid of readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name)))
    try {
      if (statSync(`/proc/${pid}`).uid === uid || realUidOf(pid) === uid)
        process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It ended by itself.
    }
}

/** A process that is not dumpable has its folder owned by root. */
function realUidOf(pid: string): number {
  return Number(/^Uid:\s+([0-9]+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? -1);
}

function removePerson(name: string, home: string): void {
  const person = personOf(name);
  if (person === null) return;
  if (person.home !== home) throw new Error(`the account ${name} is not of these tests`);
  endProcessesOf(person.uid);
  execFileSync('userdel', ['-f', name], { stdio: 'pipe' });
  rmSync(home, { recursive: true, force: true });
}

function addPerson(name: string): void {
  const home = ['-m', '-k', `${HOMES}/empty`, '-d', `${HOMES}/${name}`];
  execFileSync('useradd', [...home, '-s', '/bin/bash', name], { stdio: 'pipe' });
}

function removeAll(): void {
  for (const name of [AGENT, HUMAN]) removePerson(name, `${HOMES}/${name}`);
  removePerson(CONSOLE, `/var/lib/${CONSOLE}`);
  if (readFileSync('/etc/group', 'utf8').includes(`\n${CLIENTS}:`)) execFileSync('groupdel', [CLIENTS]);
}

/** What an installation of somebody else holds is put back when the test is over. */
function moveAside(lock: string): () => void {
  const { library, starter, settingsFolder, tmpfiles } = installPlaces(lock);
  const paths = [library, starter, settingsFolder, tmpfiles, `/run/${lock}`];
  const kept = (path: string): string => `${path}.kept-by-test`;
  for (const path of paths) {
    // A run that was killed left its own installation in the way of what it kept.
    if (existsSync(kept(path))) rmSync(path, { recursive: true, force: true });
    else if (existsSync(path)) renameSync(path, kept(path));
  }
  return () => {
    for (const path of paths) {
      rmSync(path, { recursive: true, force: true });
      if (existsSync(kept(path))) renameSync(kept(path), path);
    }
  };
}

/** Installs the lock whose command is `command` (a file for Node.js); throws when that fails. */
export async function openTwoAccounts(lock: string, command: string): Promise<TwoAccounts> {
  const giveBack = await holdMachine();
  const restore = moveAside(lock);
  const close = (): void => {
    removeAll();
    restore();
    giveBack();
  };
  const install = (...flags: readonly string[]): Ran => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [command, 'install', ...flags], {
      encoding: 'utf8',
      cwd: '/',
      maxBuffer: 64 << 20,
    });
    return { exit: status, stdout, stderr };
  };
  try {
    removeAll();
    mkdirSync(HOMES, { recursive: true, mode: 0o755 });
    mkdirSync(`${HOMES}/empty`, { recursive: true });
    for (const name of [AGENT, HUMAN]) addPerson(name);
    const installed = install('--client', AGENT, '--user', CONSOLE, '--group', CLIENTS, '--yes');
    if (installed.exit !== 0)
      throw new Error(`install failed: ${installed.stdout.slice(-2000)}${installed.stderr}`);
    const people = { agent: needPerson(AGENT), console: needPerson(CONSOLE), human: needPerson(HUMAN) };
    return { ...people, runAs, installed, install, close };
  } catch (error) {
    close();
    throw error;
  }
}
