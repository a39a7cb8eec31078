// One file of the log, open for appending. Called by log-writer.ts alone. A write is whole or undone; a file that was
// moved, cut or written by someone else is noticed before anything is added to it.
// The look and the write touch the page cache only and are done at once: a turn of the thread pool for each would cost
// more than they do, twice for every run. The sync waits for the disk and must never hold up the console.
import { constants, fstatSync, ftruncateSync, statSync, writeSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { openPrivateFile, syncFolder } from './private-file.js';

export interface LogFile {
  readonly size: () => number;
  /** Throws LogFileLost when the file is no longer the one at its path, or has another length than we left it. */
  readonly check: () => void;
  /** All of the bytes or none. Throws the system's error, or LogFileLost when half a write could not be undone. */
  readonly append: (bytes: Uint8Array) => void;
  readonly sync: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Nothing may be written to this file any more. */
export class LogFileLost extends Error {}

/** A new, empty file; throws EEXIST where there is one. */
export async function createLogFile(path: string): Promise<LogFile> {
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL;
  const handle = await openPrivateFile(path, flags);
  await syncFolder(dirname(path));
  return openHandle(path, handle, 0);
}

/** The file as it is; the caller has read it to its end. */
export async function openLogFile(path: string): Promise<LogFile> {
  const handle = await openPrivateFile(path, constants.O_RDWR | constants.O_APPEND);
  return openHandle(path, handle, (await handle.stat()).size);
}

function openHandle(path: string, handle: FileHandle, startSize: number): LogFile {
  let size = startSize;
  return {
    size: () => size,
    check: () => {
      checkFile(path, handle.fd, size);
    },
    append: (bytes) => {
      writeWhole(handle.fd, bytes, size);
      size += bytes.length;
    },
    sync: () => handle.datasync(),
    close: () => handle.close(),
  };
}

function checkFile(path: string, fd: number, size: number): void {
  const ours = fstatSync(fd);
  const there = statSync(path, { throwIfNoEntry: false });
  if (there === undefined || there.ino !== ours.ino || there.dev !== ours.dev)
    throw new LogFileLost('the log file was moved away');
  if (ours.size !== size) throw new LogFileLost('the log file was cut or written by someone else');
}

function writeWhole(fd: number, bytes: Uint8Array, size: number): void {
  try {
    for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done, bytes.length - done);
  } catch (error) {
    try {
      ftruncateSync(fd, size);
    } catch {
      throw new LogFileLost('half a record could not be taken back');
    }
    throw error;
  }
}
