// The real machine behind FactsIo: files under /proc, /etc and /run, the account database, sudo's own list.
// Called by the console's start, install and doctor. It changes nothing.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
} from 'node:fs';
import { isatty } from 'node:tty';
import { accountByName, accountByUid, groupByName, type Account } from '../native/kernel.js';
import type { FactsIo } from './facts-io.js';
import type { PathFact, TerminalFact } from './session-facts.js';

const MAX_TEXT_BYTES = 1024 * 1024;
const QUERY_MS = 10_000;
const QUERY_ENV = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' };

export function openFactsIo(
  env: Readonly<Record<string, string | undefined>>,
  uid: number = process.getuid?.() ?? -1,
): FactsIo {
  return {
    uid,
    env,
    nodePath: process.execPath,
    readText,
    look: (path) => quietly(() => factOf(path, lstatSync(path))),
    list: (path) => quietly(() => readdirSync(path).sort()) ?? [],
    realPath: (path) => quietly(() => realpathSync(path)),
    readLink: (path) => quietly(() => readlinkSync(path)),
    terminals,
    accountByUid,
    accountByName,
    groupByName,
    groupMembers,
    maySudo: (name) => (process.getuid?.() === 0 ? askSudo(name) : null),
    tryRead,
  };
}

function quietly<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return null;
  }
}

function readText(path: string): string | null {
  return quietly(() => {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      // Files of /proc have no size: read up to the limit.
      const bytes = Buffer.alloc(MAX_TEXT_BYTES);
      let length = 0;
      for (;;) {
        const count = readSync(fd, bytes, length, bytes.length - length, null);
        length += count;
        if (count === 0 || length === bytes.length) break;
      }
      return bytes.toString('utf8', 0, length);
    } finally {
      closeSync(fd);
    }
  });
}

function factOf(path: string, stat: Stats): PathFact {
  const kind = stat.isSymbolicLink()
    ? 'link'
    : stat.isDirectory()
      ? 'folder'
      : stat.isFile()
        ? 'file'
        : 'other';
  return { path, kind, uid: stat.uid, gid: stat.gid, mode: stat.mode & 0o7777 };
}

/** The owner is asked of the descriptor: in a container the name may lead nowhere, or to another terminal. */
function terminals(): readonly TerminalFact[] {
  const found = new Map<string, TerminalFact>();
  for (const fd of [0, 1, 2]) {
    if (!isatty(fd)) continue;
    const path = quietly(() => readlinkSync(`/proc/self/fd/${String(fd)}`)) ?? `descriptor ${String(fd)}`;
    found.set(path, { kind: kindOf(path), path, uid: fstatSync(fd).uid });
  }
  return found.size > 0 ? [...found.values()] : controllingTerminal();
}

function kindOf(path: string): TerminalFact['kind'] {
  if (/^\/dev\/tty[0-9]+$/.test(path)) return 'console';
  return path.startsWith('/dev/pts/') ? 'pseudo' : 'other';
}

/** A console whose window is at the other end of pipes still belongs to the terminal that its launcher sits on. */
function controllingTerminal(): readonly TerminalFact[] {
  const stat = readText('/proc/self/stat') ?? '';
  const path = terminalPath(Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[4] ?? 0));
  const fact = path === null ? null : quietly(() => lstatSync(path));
  return path === null || fact === null ? [] : [{ kind: kindOf(path), path, uid: fact.uid }];
}

/** The kernel's device number as a path: text consoles are major 4, pseudo terminals 136 to 143. */
export function terminalPath(device: number): string | null {
  const major = (device >>> 8) & 0xfff;
  const minor = (device & 0xff) | ((device >>> 12) & 0xfff00);
  if (major === 4 && minor > 0 && minor < 64) return `/dev/tty${String(minor)}`;
  if (major >= 136 && major <= 143) return `/dev/pts/${String((major - 136) * 256 + minor)}`;
  return null;
}

/** Asks the system's own database (files, LDAP, …), which Node cannot. */
function getent(...query: readonly string[]): readonly string[] {
  try {
    const text = execFileSync('getent', query, {
      env: QUERY_ENV,
      encoding: 'utf8',
      timeout: QUERY_MS,
      stdio: 'pipe',
    });
    return text.split('\n').filter((line) => line !== '');
  } catch {
    return [];
  }
}

function groupMembers(group: string, gid: number): readonly string[] {
  const named = getent('group', group).flatMap((line) => line.split(':')[3]?.split(',') ?? []);
  const primary = getent('passwd')
    .map((line) => line.split(':'))
    .filter(([, , , own]) => own === String(gid))
    .map(([name]) => name ?? '');
  return [...new Set([...named, ...primary])].filter((name) => name !== '').sort();
}

/** `sudo -l -U name` ends with 0 and says what it may; for an account without rules it says so. */
function askSudo(name: string): boolean | null {
  const sudo = ['/usr/bin/sudo', '/usr/local/bin/sudo'].find((path) => existsSync(path));
  if (sudo === undefined) return false;
  const { status, stdout } = spawnSync(sudo, ['-n', '-l', '-U', name], {
    env: QUERY_ENV,
    encoding: 'utf8',
    timeout: QUERY_MS,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  if (status === null) return null;
  return stdout.includes('may run the following commands');
}

/** `test` in the account itself: access lists and everything else that the kernel knows count. */
function tryRead(account: Account, path: string, need: 'enter' | 'list' | 'read'): boolean | null {
  if (process.getuid?.() !== 0) return null;
  const flags = need === 'list' ? ['-r', path, '-a', '-x', path] : [need === 'read' ? '-r' : '-x', path];
  const ids = ['--reuid', String(account.uid), '--regid', String(account.gid), '--init-groups'];
  const { status } = spawnSync('setpriv', [...ids, '/usr/bin/test', ...flags], {
    env: QUERY_ENV,
    timeout: QUERY_MS,
    stdio: 'ignore',
  });
  return status === 0 ? true : status === 1 ? false : null;
}
