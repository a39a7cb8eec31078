// Writes a file so that a reader sees the old one or the new one, never a part, also after a crash or on a full disk.
// Used for approved policies and for the verbs that add text to a configuration. It never writes through a link.
import { closeSync, constants, fsyncSync, openSync, renameSync, unlinkSync, writeSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { Fault } from '../contract/fault.js';

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** Replaces `path` (its folder exists) by these bytes, on disk when this returns. Throws Fault E_INTERNAL. */
export function replaceFile(path: string, bytes: Uint8Array, mode: number): void {
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(8).toString('hex')}.tmp`);
  try {
    writeDurably(temporary, bytes, mode);
    renameSync(temporary, path);
    syncFolder(dirname(path));
  } catch (error) {
    removeQuietly(temporary);
    throw new Fault(
      'E_INTERNAL',
      `${path} could not be written: ${String((error as NodeJS.ErrnoException).code)}`,
    );
  }
}

function writeDurably(path: string, bytes: Uint8Array, mode: number): void {
  const fd = openSync(path, CREATE, mode);
  try {
    for (let written = 0; written < bytes.length;) written += writeSync(fd, bytes, written);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function syncFolder(folder: string): void {
  const fd = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Already renamed or never made: the caller's fault tells what happened.
  }
}
