// What a crash left behind the last newline of the log. Called by audit-log.ts before anything is appended: nothing is
// ever added to half a line. The bytes are kept in a file beside the log, then taken out of it.
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { LogTail } from './log-start.js';
import { openPrivateFile, syncFolder } from './private-file.js';

export interface TornTail {
  /** The name of the file that holds the bytes, in the log's folder. */
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** Ends a whole last record with its newline, or sets half a one aside; null when it was whole. */
export async function repairTail(logPath: string, tail: LogTail): Promise<TornTail | null> {
  const log = await openPrivateFile(logPath, constants.O_RDWR | constants.O_APPEND);
  try {
    if (!tail.isRecord) return await setAside(log, logPath, tail.offset);
    await log.writeFile('\n');
    await log.datasync();
    return null;
  } finally {
    await log.close();
  }
}

async function setAside(log: FileHandle, logPath: string, offset: number): Promise<TornTail> {
  const bytes = await readFrom(log, offset);
  const path = await keep(logPath, bytes);
  await log.truncate(offset);
  await log.datasync();
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { file: basename(path), bytes: bytes.length, sha256 };
}

async function readFrom(log: FileHandle, offset: number): Promise<Buffer> {
  const { size } = await log.stat();
  const bytes = Buffer.alloc(size - offset);
  let done = 0;
  while (done < bytes.length) {
    const { bytesRead } = await log.read(bytes, done, bytes.length - done, offset + done);
    if (bytesRead === 0) throw new Error('the log became shorter while it was read');
    done += bytesRead;
  }
  return bytes;
}

/** Writes the bytes to the first free name; they are on disk when this resolves. */
async function keep(logPath: string, bytes: Buffer): Promise<string> {
  for (let copy = 1; ; copy += 1) {
    const path = `${logPath}.torn-${copy}`;
    const file = await openNew(path);
    if (file === null) continue;
    try {
      await file.writeFile(bytes);
      await file.datasync();
    } finally {
      await file.close();
    }
    await syncFolder(dirname(path));
    return path;
  }
}

async function openNew(path: string): Promise<FileHandle | null> {
  try {
    return await openPrivateFile(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return null;
    throw error;
  }
}
