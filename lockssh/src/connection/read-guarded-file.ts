// Reads a file that the policy names (a private key, known_hosts) only if nobody else could have written it.
// Called by the console before a connection. It must never block on a pipe nor read without a bound.

import { constants } from 'node:fs';
import { lstat, open, realpath, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ConnectionFault, type KeyFileProblem } from './connection-fault.js';

export interface GuardedFile {
  readonly path: string;
  readonly maxBytes: number;
  /** True for a secret: no other account may even read it. */
  readonly isSecret: boolean;
  /** The account that reads; the file and the folders above belong to it or to root. */
  readonly ownUid: number;
}

export const MAX_KEY_FILE_BYTES = 64 * 1024;
export const MAX_KNOWN_HOSTS_BYTES = 4 * 1024 * 1024;

/** The bytes of the file; null when it does not exist. Throws ConnectionFault of kind key_file for anything else. */
export async function readGuardedFile(file: GuardedFile): Promise<Buffer | null> {
  const handle = await openRegular(file.path);
  if (handle === null) return null;
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw problem('not_a_file');
    if (!isTrustedOwner(stat.uid, file.ownUid)) throw problem('other_owner');
    if ((stat.mode & (file.isSecret ? 0o077 : 0o022)) !== 0) throw problem('open_to_others');
    if (stat.size > file.maxBytes) throw problem('too_large');
    await checkFolders(file);
    return await readBounded(handle, file.maxBytes);
  } finally {
    await handle.close();
  }
}

async function openRegular(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw problem('unreadable');
  }
}

// A folder that others may write lets them swap the file; /tmp-like folders are sticky, so they cannot.
async function checkFolders(file: GuardedFile): Promise<void> {
  let folder = dirname(await realpath(file.path));
  for (;;) {
    const stat = await lstat(folder);
    const isSticky = (stat.mode & 0o1000) !== 0;
    if (!isTrustedOwner(stat.uid, file.ownUid) || ((stat.mode & 0o022) !== 0 && !isSticky))
      throw problem('other_owner');
    if (dirname(folder) === folder) return;
    folder = dirname(folder);
  }
}

async function readBounded(handle: FileHandle, maxBytes: number): Promise<Buffer> {
  const buffer = Buffer.alloc(maxBytes + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length);
    length += bytesRead;
    if (bytesRead === 0) break;
    if (length > maxBytes) throw problem('too_large');
  }
  const bytes = Buffer.from(buffer.subarray(0, length));
  buffer.fill(0);
  return bytes;
}

function isTrustedOwner(uid: number, ownUid: number): boolean {
  return uid === 0 || uid === ownUid;
}

function problem(kind: KeyFileProblem): ConnectionFault {
  return new ConnectionFault({ kind: 'key_file', problem: kind });
}

function systemCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
