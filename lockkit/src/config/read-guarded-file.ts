// Reads a file that decides something, once, from a folder that others may not write: no link on its last two steps,
// a regular file, the right owner, bounded, unchanged while it was read. Called for policies and for approved copies.
// What is checked is the open descriptor, so that a swap of names changes nothing. It never waits on a FIFO.
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  type Stats,
} from 'node:fs';
import { join } from 'node:path';

export interface FileGuard {
  /** Accounts that may own the folder and the file; undefined: any owner (a project's files are reviewed). */
  readonly owners?: readonly number[];
  /** Groups that may have write access because only the owner and the console are in them. */
  readonly trustedGids: readonly number[];
  readonly maxBytes: number;
}

/** Static words for what is wrong; a caller adds the path and the command that mends it. */
export type Refusal =
  'link' | 'not_regular' | 'owner' | 'writable_by_others' | 'too_large' | 'changing' | 'unreadable';

export type GuardedRead =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'absent' }
  | { readonly kind: 'refused'; readonly why: Refusal; readonly on: 'folder' | 'file' };

class Refused extends Error {
  readonly why: Refusal;
  constructor(why: Refusal) {
    super(why);
    this.why = why;
  }
}

const FOLDER_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const FILE_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;

/** The bytes of `folder/name`. Never throws for what the file system holds. */
export function readGuardedFile(folder: string, name: string, guard: FileGuard): GuardedRead {
  let on: 'folder' | 'file' = 'folder';
  let folderFd: number | undefined;
  try {
    folderFd = openChecked(folder, FOLDER_FLAGS, (stat) => stat.isDirectory(), guard);
    on = 'file';
    return { kind: 'bytes', bytes: readFileIn(folderFd, folder, name, guard) };
  } catch (error) {
    if (error instanceof Refused) return { kind: 'refused', why: error.why, on };
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') return { kind: 'absent' };
    if (code === undefined) throw error;
    return { kind: 'refused', why: code === 'ELOOP' ? 'link' : 'unreadable', on };
  } finally {
    if (folderFd !== undefined) closeSync(folderFd);
  }
}

function openChecked(path: string, flags: number, right: (stat: Stats) => boolean, guard: FileGuard): number {
  // Opening a device can already do something, so the name is looked at first and the descriptor again.
  checkKind(lstatSync(path), right);
  const fd = openSync(path, flags);
  try {
    const stat = fstatSync(fd);
    checkKind(stat, right);
    checkAccess(stat, guard);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function checkKind(stat: Stats, right: (stat: Stats) => boolean): void {
  if (stat.isSymbolicLink()) throw new Refused('link');
  if (!right(stat)) throw new Refused('not_regular');
}

function checkAccess(stat: Stats, { owners, trustedGids }: FileGuard): void {
  if (owners !== undefined && !owners.includes(stat.uid)) throw new Refused('owner');
  const groupWrites = (stat.mode & 0o020) !== 0 && !trustedGids.includes(stat.gid);
  if ((stat.mode & 0o002) !== 0 || groupWrites) throw new Refused('writable_by_others');
}

function readFileIn(folderFd: number, folder: string, name: string, guard: FileGuard): Uint8Array {
  const opened = `/proc/self/fd/${String(folderFd)}`;
  const linux = process.platform === 'linux' && existsSync(opened);
  const path = join(linux ? opened : folder, name);
  const fd = openChecked(path, FILE_FLAGS, (stat) => stat.isFile(), guard);
  try {
    if (!linux && !sameFile(lstatSync(folder), fstatSync(folderFd))) throw new Refused('changing');
    return readWhole(fd, guard.maxBytes);
  } finally {
    closeSync(fd);
  }
}

/** Everything up to the end of the file; a file that grew, shrank or was written meanwhile is refused. */
function readWhole(fd: number, maxBytes: number): Uint8Array {
  const before = fstatSync(fd);
  if (before.size > maxBytes) throw new Refused('too_large');
  const bytes = Buffer.alloc(before.size + 1);
  let length = 0;
  for (;;) {
    const count = readSync(fd, bytes, length, bytes.length - length, null);
    length += count;
    if (count === 0 || length > before.size) break;
  }
  const after = fstatSync(fd);
  const still =
    after.size === before.size && after.mtimeMs === before.mtimeMs && after.ctimeMs === before.ctimeMs;
  if (!still || length !== before.size) throw new Refused('changing');
  return bytes.subarray(0, length);
}

function sameFile(a: Stats, b: Stats): boolean {
  return a.dev === b.dev && a.ino === b.ino;
}

const SENTENCES: Readonly<Record<Refusal, string>> = {
  link: 'must not be a link',
  not_regular: 'must be a regular file in a folder',
  owner: 'must belong to this account or to root',
  writable_by_others: 'must not be writable by others (chmod go-w)',
  too_large: 'is too large',
  changing: 'changed while it was read',
  unreadable: 'cannot be read',
};

/** One static sentence: `the folder must not be a link`. */
export function renderRefusal({ why, on }: Extract<GuardedRead, { kind: 'refused' }>): string {
  return `the ${on} ${SENTENCES[why]}`;
}
