// The embedded store's file: appended to, synced, read back. 0600 in a 0700 folder of this account, one writer by a
// kernel lock. Opened by embedded-store.ts. After a failed write nothing more is written: nobody knows then what the
// disk holds. A torn last line is set aside beside the file, never overwritten or continued.
import { constants } from 'node:fs';
import { lstat, mkdir, open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { UserMistake } from '../../contract/fault.js';
import { StoreFault } from './ticket-store.js';

export interface JournalOptions {
  readonly folder: string;
  /** Takes the one writer's lock on an open file; false when another process holds it (native.ts, lockFile). */
  readonly lock: (fd: number) => boolean;
}

/** Where a line lies in the file, its newline included. */
export interface LinePlace {
  readonly offset: number;
  readonly bytes: number;
}

export interface Journal {
  /** Every whole line from the start, in order. */
  readonly readLines: (onLine: (line: Buffer, place: LinePlace) => void) => Promise<void>;
  readonly readAt: (place: LinePlace) => Promise<Buffer>;
  /** On disk when it resolves; gives where each line lies. Rejects with a StoreFault, and then for ever. */
  readonly append: (lines: readonly Buffer[]) => Promise<readonly LinePlace[]>;
  readonly close: () => Promise<void>;
}

const FILE_NAME = 'hub.jsonl';
const OPEN = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const CHUNK_BYTES = 1024 * 1024;
const MAX_LINE_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;

/** Throws UserMistake for a folder or file that is open to others, or in use by another hub. */
export async function openJournal({ folder, lock }: JournalOptions): Promise<Journal> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const stat = await lstat(folder);
  if (!stat.isDirectory() || !isPrivate(stat))
    throw new UserMistake(
      `${folder} must be a folder of this account that nobody else can enter (chmod 700)`,
    );
  const path = join(folder, FILE_NAME);
  const file = await open(path, OPEN, 0o600);
  try {
    const opened = await file.stat();
    if (!opened.isFile() || opened.nlink !== 1 || !isPrivate(opened))
      throw new UserMistake(
        `${path} must be a plain file of this account that nobody else can touch (chmod 600)`,
      );
    if (!lock(file.fd)) throw new UserMistake(`the record in ${folder} is in use by a hub that already runs`);
    await syncFolder(folder);
    return new FileJournal(file, folder, await cutTornTail(file, folder));
  } catch (error) {
    await file.close();
    throw error;
  }
}

function isPrivate({ uid, mode }: { readonly uid: number; readonly mode: number }): boolean {
  return uid === process.geteuid?.() && (mode & 0o077) === 0;
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Sets aside what stands behind the last newline; gives the length of what is whole. */
async function cutTornTail(file: FileHandle, folder: string): Promise<number> {
  const { size } = await file.stat();
  const start = Math.max(0, size - MAX_LINE_BYTES - 1);
  const tail = Buffer.alloc(size - start);
  await readFully(file, tail, start);
  const end = tail.lastIndexOf(NEWLINE) + 1;
  if (end === tail.length) return size;
  if (end === 0 && start > 0) throw new UserMistake(`the record in ${folder} is damaged: its end is no line`);
  const whole = start + end;
  const aside = await open(join(folder, `hub.torn-${whole}-${size}`), CREATE, 0o600);
  try {
    await aside.writeFile(tail.subarray(end));
    await aside.sync();
  } finally {
    await aside.close();
  }
  await syncFolder(folder);
  await file.truncate(whole);
  await file.datasync();
  return whole;
}

async function readFully(file: FileHandle, into: Buffer, position: number): Promise<void> {
  for (let done = 0; done < into.length;) {
    const { bytesRead } = await file.read(into, done, into.length - done, position + done);
    if (bytesRead === 0) throw new StoreFault('the record ended before its length');
    done += bytesRead;
  }
}

class FileJournal implements Journal {
  readonly #file: FileHandle;
  readonly #folder: string;
  #length: number;
  #broken: StoreFault | undefined;

  constructor(file: FileHandle, folder: string, length: number) {
    this.#file = file;
    this.#folder = folder;
    this.#length = length;
  }

  async readLines(onLine: (line: Buffer, place: LinePlace) => void): Promise<void> {
    let held = Buffer.alloc(0);
    let offset = 0;
    while (offset + held.length < this.#length) {
      const at = offset + held.length;
      const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, this.#length - at));
      await readFully(this.#file, chunk, at);
      held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      let from = 0;
      for (let end = held.indexOf(NEWLINE); end >= 0; end = held.indexOf(NEWLINE, from)) {
        onLine(held.subarray(from, end), { offset: offset + from, bytes: end + 1 - from });
        from = end + 1;
      }
      held = held.subarray(from);
      offset += from;
      if (held.length > MAX_LINE_BYTES) throw new UserMistake(`the record in ${this.#folder} is damaged`);
    }
  }

  async readAt({ offset, bytes }: LinePlace): Promise<Buffer> {
    const line = Buffer.alloc(bytes);
    try {
      await readFully(this.#file, line, offset);
    } catch (error) {
      throw new StoreFault(`the record cannot be read: ${codeOf(error)}`);
    }
    return line.subarray(0, -1);
  }

  async append(lines: readonly Buffer[]): Promise<readonly LinePlace[]> {
    if (this.#broken) throw this.#broken;
    const places = lines.map((line, index) => ({
      offset: this.#length + lines.slice(0, index).reduce((sum, { length }) => sum + length, 0),
      bytes: line.length,
    }));
    try {
      await this.#write(Buffer.concat(lines));
      await this.#file.datasync();
    } catch (error) {
      this.#broken = new StoreFault(`the record in ${this.#folder} cannot be written: ${codeOf(error)}`);
      throw this.#broken;
    }
    this.#length += lines.reduce((sum, { length }) => sum + length, 0);
    return places;
  }

  async #write(bytes: Buffer): Promise<void> {
    for (let done = 0; done < bytes.length;) {
      const left = bytes.length - done;
      const { bytesWritten } = await this.#file.write(bytes, done, left, this.#length + done);
      done += bytesWritten;
    }
  }

  async close(): Promise<void> {
    this.#broken ??= new StoreFault('the hub is closed');
    await this.#file.close();
  }
}

function codeOf(error: unknown): string {
  if (error instanceof StoreFault) return error.message;
  return String((error as NodeJS.ErrnoException).code ?? 'unknown');
}
