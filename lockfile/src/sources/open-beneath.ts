// Opens one file beneath a directory without ever leaving it: component by component through the descriptor of the
// one before, following no link, and asking the kernel afterwards where the descriptor really is.
// Called by the local source. A race between check and open cannot win: the checks are on what is already open.
import { closeSync, constants, fstatSync, openSync, readlinkSync } from 'node:fs';
import { FetchFailure, type FetchCause } from './source.js';

/** A descriptor that only names an inode: opening a device or a FIFO this way does nothing to it. */
const O_PATH = 0o10000000;
const DIRECTORY = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const ENTRY = O_PATH | constants.O_NOFOLLOW;
const READ = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

const CAUSES: Readonly<Record<string, FetchCause>> = {
  ENOENT: 'missing',
  ENOTDIR: 'missing',
  ENAMETOOLONG: 'missing',
  ELOOP: 'link',
  EACCES: 'denied',
  EPERM: 'denied',
  ENXIO: 'not_a_file',
  ENODEV: 'not_a_file',
};

/** The path of an entry of an open directory; resolved by the kernel, never by a name that may have moved. */
const entryOf = (dir: number, name: string): string => `/proc/self/fd/${dir}/${name}`;

/**
 * The descriptor of `<root>/<segments>`: a regular file that lies beneath the root. Throws FetchFailure. The root
 * itself may be a link: its path is the human's own.
 */
export function openBeneath(root: string, segments: readonly string[]): number {
  const opened: number[] = [];
  const hold = (fd: number): number => {
    opened.push(fd);
    return fd;
  };
  try {
    let dir = hold(tryOpen(root, O_PATH | constants.O_DIRECTORY));
    const base = whereIs(dir);
    for (const name of segments.slice(0, -1)) dir = hold(openDirectory(dir, name));
    const named = hold(tryOpen(entryOf(dir, segments.at(-1) as string), ENTRY));
    checkFile(named, base);
    // The same inode once more, for reading: by its descriptor, not by any name.
    return tryOpen(`/proc/self/fd/${named}`, READ);
  } finally {
    for (const fd of opened) closeSync(fd);
  }
}

function tryOpen(path: string, flags: number): number {
  try {
    return openSync(path, flags);
  } catch (error) {
    throw new FetchFailure(CAUSES[(error as NodeJS.ErrnoException).code ?? ''] ?? 'disk');
  }
}

/** With O_DIRECTORY the kernel reports a link as ENOTDIR: that it was a link is worth saying in the audit. */
function openDirectory(dir: number, name: string): number {
  try {
    return tryOpen(entryOf(dir, name), DIRECTORY);
  } catch (error) {
    if (error instanceof FetchFailure && error.cause === 'missing' && isLink(entryOf(dir, name)))
      throw new FetchFailure('link');
    throw error;
  }
}

function isLink(path: string): boolean {
  try {
    readlinkSync(path);
    return true;
  } catch {
    return false;
  }
}

function whereIs(fd: number): string {
  return readlinkSync(`/proc/self/fd/${fd}`);
}

/** Regular, and beneath the root as the kernel sees it now. */
function checkFile(fd: number, base: string): void {
  const facts = fstatSync(fd);
  if (facts.isSymbolicLink()) throw new FetchFailure('link');
  if (!facts.isFile()) throw new FetchFailure('not_a_file');
  const inside = base === '/' ? base : `${base}/`;
  if (!whereIs(fd).startsWith(inside)) throw new FetchFailure('leaves_root');
}
