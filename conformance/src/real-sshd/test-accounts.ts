// Real accounts on this machine for the real server's tests: one per login shell, `lk-fish` and so on.
// Called by the test server, as root. Several test files may run at once: the last user removes the accounts, and it
// never touches an account that it did not make.

import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { findProgram } from './real-parts.js';

/** The login shells that the remote line is proved on. */
export const LOGIN_SHELLS = ['dash', 'bash', 'zsh', 'fish', 'tcsh', 'mksh', 'ksh93', 'ash'] as const;
export type LoginShell = (typeof LOGIN_SHELLS)[number];

/** A login shell by name, or an account of one test file with a shell and files of its own. */
export type AccountWish =
  | LoginShell
  | {
      /** Begins with `lk-`. */
      readonly name: string;
      readonly shell: LoginShell | `/${string}`;
      /** Path in the home folder → content. */
      readonly files?: Readonly<Record<string, string>>;
    };

export interface TestAccount {
  readonly name: string;
  readonly home: string;
  readonly shell: string;
  readonly uid: number;
  readonly password: string;
}

const STATE = '/var/lib/locks-test';
const USERS = join(STATE, 'users');

export interface OpenAccounts {
  readonly accounts: readonly TestAccount[];
  /** Gives the accounts back; the last one that used any of them removes them all. */
  readonly close: () => void;
}

/** Makes the accounts that are not there yet and counts this use of them. */
export function openAccounts(wishes: readonly AccountWish[]): OpenAccounts {
  mkdirSync(USERS, { recursive: true, mode: 0o755 });
  const use = join(USERS, `${process.pid}-${startTime(process.pid)}-${randomBytes(4).toString('hex')}`);
  const accounts = locked(() => {
    writeFileSync(use, '');
    return wishes.map((wish) => openAccount(wish));
  });
  return {
    accounts,
    close: () => {
      locked(() => {
        rmSync(use, { force: true });
        removeStaleUses();
        if (readdirSync(USERS).length === 0) removeAccounts();
      });
    },
  };
}

function removeStaleUses(): void {
  for (const use of readdirSync(USERS)) {
    const [pid, started] = use.split('-');
    if (startTime(Number(pid)) !== started) rmSync(join(USERS, use));
  }
}

/** The path of a login shell; busybox runs as `ash` through a link of that name. */
export function shellPath(shell: LoginShell): string {
  const path = shell === 'ash' ? ashPath() : findProgram(shell);
  if (path === null) throw new Error(`no ${shell} on this machine`);
  return path;
}

function openAccount(wish: AccountWish): TestAccount {
  const { name, shell, files } =
    typeof wish === 'string' ? { name: `lk-${wish}`, shell: wish, files: {} } : { files: {}, ...wish };
  if (!/^lk-[a-z0-9-]{1,28}$/u.test(name)) throw new Error('a test account begins with lk-');
  const path = shell.startsWith('/') ? shell : shellPath(shell as LoginShell);
  const home = join(STATE, 'home', name);
  const password = readPassword();
  if (findAccount(name) === null) addAccount(name, path, home, password);
  const account = findAccount(name);
  if (account?.home !== home) throw new Error(`the account ${name} is not ours`);
  writeFiles(home, account.uid, files);
  return { name, home, shell: path, uid: account.uid, password };
}

function addAccount(name: string, shell: string, home: string, password: string): void {
  const skeleton = join(STATE, 'empty');
  mkdirSync(skeleton, { recursive: true });
  mkdirSync(dirname(home), { recursive: true });
  execFileSync('useradd', ['-m', '-k', skeleton, '-d', home, '-s', shell, name], { stdio: 'pipe' });
  execFileSync('chpasswd', [], { input: `${name}:${password}\n`, stdio: 'pipe' });
}

function writeFiles(home: string, uid: number, files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(home, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content, { mode: 0o755 });
    chownSync(path, uid, uid);
  }
}

function removeAccounts(): void {
  const homes = join(STATE, 'home');
  for (const name of existsSync(homes) ? readdirSync(homes) : []) {
    if (findAccount(name)?.home === join(homes, name))
      execFileSync('userdel', ['-f', name], { stdio: 'pipe' });
  }
  for (const entry of readdirSync(STATE)) {
    if (entry !== 'lock' && entry !== 'users') rmSync(join(STATE, entry), { recursive: true, force: true });
  }
}

function findAccount(name: string): { readonly uid: number; readonly home: string } | null {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`));
  const fields = line?.split(':');
  return fields === undefined ? null : { uid: Number(fields[2]), home: fields[5] ?? '' };
}

/** One password for all of them, made on this machine and readable by root alone. */
function readPassword(): string {
  const path = join(STATE, 'password');
  if (!existsSync(path)) writeFileSync(path, randomBytes(18).toString('base64url'), { mode: 0o600 });
  return readFileSync(path, 'utf8');
}

function ashPath(): string | null {
  const busybox = findProgram('busybox');
  const path = join(STATE, 'bin', 'ash');
  if (busybox === null) return null;
  mkdirSync(dirname(path), { recursive: true });
  if (!existsSync(path)) symlinkSync(busybox, path);
  return path;
}

/** The kernel's start time of a process: with it a pid that was given again is told apart. '' when it is gone. */
function startTime(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

// The holder is named in the lock, so that one left by a crash is known as such.
function locked<T>(work: () => T): T {
  const path = join(STATE, 'lock');
  const started = Date.now();
  for (;;) {
    try {
      writeFileSync(path, `${process.pid} ${startTime(process.pid)}`, { flag: 'wx' });
      break;
    } catch {
      breakStaleLock(path);
      if (Date.now() - started > 60_000) throw new Error('the test accounts are locked by another process');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
  try {
    return work();
  } finally {
    rmSync(path, { force: true });
  }
}

function breakStaleLock(path: string): void {
  try {
    const [pid, started] = readFileSync(path, 'utf8').split(' ');
    if (pid !== undefined && started !== undefined && startTime(Number(pid)) !== started)
      rmSync(path, { force: true });
  } catch {
    // It was given back between the two looks.
  }
}
