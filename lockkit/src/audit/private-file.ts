// Opens files that nobody else can write, read or swap: no links, own account, 0600, in a folder 0700 of the same
// account. Called by the audit alone. What does not look like that is refused, never repaired.
import { constants, type Stats } from 'node:fs';
import { lstat, mkdir, open, rename, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UserMistake } from '../contract/fault.js';

const OTHERS = 0o077;

/** Makes the folder (0700) where it is missing, and refuses one that is a link or open to others. */
export async function openPrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const stats = await lstat(folder);
  if (!stats.isDirectory() || !isPrivate(stats)) {
    throw new UserMistake(
      `${folder} must be a folder of this account that nobody else can enter (chmod 700)`,
    );
  }
}

/** The open file, checked. `flags` beside O_NOFOLLOW and O_CLOEXEC. Throws the system's error where it is missing. */
export async function openPrivateFile(path: string, flags: number): Promise<FileHandle> {
  const handle = await openWithoutLinks(path, flags);
  const stats = await handle.stat();
  if (stats.isFile() && stats.nlink === 1 && isPrivate(stats)) return handle;
  await handle.close();
  throw refusal(path);
}

async function openWithoutLinks(path: string, flags: number): Promise<FileHandle> {
  try {
    return await open(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ELOOP') throw refusal(path);
    throw error;
  }
}

function refusal(path: string): UserMistake {
  return new UserMistake(
    `${path} must be a plain file of this account that nobody else can touch (chmod 600)`,
  );
}

function isPrivate(stats: Stats): boolean {
  return stats.uid === process.geteuid?.() && (stats.mode & OTHERS) === 0;
}

/** The text of a private file of at most `maxBytes`, or null when there is none. */
export async function readPrivateFile(path: string, maxBytes: number): Promise<string | null> {
  let handle: FileHandle;
  try {
    handle = await openPrivateFile(path, constants.O_RDONLY);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    const { size } = await handle.stat();
    if (size > maxBytes) throw new UserMistake(`${path} is too large for what it should be`);
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

/** Replaces a file as a whole: it holds the old bytes or the new ones, and they are on disk when this resolves. */
export async function replacePrivateFile(path: string, text: string): Promise<void> {
  const draft = `${path}.new`;
  const handle = await openPrivateFile(draft, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC);
  try {
    await handle.writeFile(text);
    await handle.datasync();
  } finally {
    await handle.close();
  }
  await rename(draft, path);
  await syncFolder(dirname(path));
}

/** Makes names that were added to a folder survive a power loss. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(join(folder, '.'), constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
