// One file of the hub's record: opened guarded, read line by line or at a place, appended to with a sync. Used by
// journal.ts, which knows which file is written. A torn last line is set aside beside the file, never overwritten.
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { UserMistake } from '../../contract/fault.js';
import { StoreFault } from './ticket-store.js';

const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const WRITE = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const CHUNK_BYTES = 1024 * 1024;
const MAX_LINE_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;

/** Where a line lies in one file, its newline included. */
export interface Place {
  readonly offset: number;
  readonly bytes: number;
}

/** Private to this account, whoever asks. */
export function isPrivate({ uid, mode }: { readonly uid: number; readonly mode: number }): boolean {
  return uid === process.geteuid?.() && (mode & 0o077) === 0;
}

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export class RecordFile {
  readonly #file: FileHandle;
  readonly #path: string;
  #length: number;

  constructor(file: FileHandle, path: string, length: number) {
    this.#file = file;
    this.#path = path;
    this.#length = length;
  }

  /** A file that is read only. Throws UserMistake for one that is open to others, or a link. */
  static async openWhole(folder: string, name: string): Promise<RecordFile> {
    const { path, file, size } = await openGuarded(folder, name, READ);
    return new RecordFile(file, path, size);
  }

  /** The file that is appended to, made where it is missing; its torn last line is set aside. */
  static async openLast(folder: string, name: string): Promise<RecordFile> {
    const { path, file } = await openGuarded(folder, name, WRITE);
    try {
      return new RecordFile(file, path, await cutTornTail(file, folder));
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  get length(): number {
    return this.#length;
  }

  async readLines(onLine: (line: Buffer, place: Place) => void): Promise<void> {
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
      if (held.length > MAX_LINE_BYTES) break;
    }
    if (held.length > 0) throw new UserMistake(`${this.#path} is damaged: it does not end as it was written`);
  }

  async readAt({ offset, bytes }: Place): Promise<Buffer> {
    const line = Buffer.alloc(bytes);
    await readFully(this.#file, line, offset);
    return line.subarray(0, -1);
  }

  /** On disk when it resolves; gives where each line lies. */
  async append(lines: readonly Buffer[]): Promise<readonly Place[]> {
    let offset = this.#length;
    const places = lines.map(({ length: bytes }) => {
      const place = { offset, bytes };
      offset += bytes;
      return place;
    });
    const bytes = Buffer.concat(lines);
    for (let done = 0; done < bytes.length;) {
      const { bytesWritten } = await this.#file.write(bytes, done, bytes.length - done, this.#length + done);
      done += bytesWritten;
    }
    await this.#file.datasync();
    this.#length = offset;
    return places;
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

async function openGuarded(
  folder: string,
  name: string,
  flags: number,
): Promise<{ readonly path: string; readonly file: FileHandle; readonly size: number }> {
  const path = join(folder, name);
  const file = await open(path, flags, 0o600);
  const stat = await file.stat();
  if (stat.isFile() && stat.nlink === 1 && isPrivate(stat)) return { path, file, size: stat.size };
  await file.close();
  throw new UserMistake(
    `${path} must be a plain file of this account that nobody else can touch (chmod 600)`,
  );
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
  // A name of its own each time: a crash before the cut, or another file of the record, may have left the same places.
  const name = `hub.torn-${whole}-${size}-${randomBytes(4).toString('hex')}`;
  const aside = await open(join(folder, name), CREATE, 0o600);
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
