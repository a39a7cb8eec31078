// The embedded store's files, as one journal: `hub.jsonl` is appended to; when it is full it becomes `hub-000001.jsonl`
// and so on, and is only read from then on. All 0600 in a 0700 folder of this account, one writer by a kernel lock on the
// folder. Opened by embedded-store.ts. After a failed write nothing more is written: nobody knows then what the disk holds.
import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { UserMistake } from '../../contract/fault.js';
import { isPrivate, RecordFile, syncFolder, type Place } from './record-file.js';
import { StoreFault } from './ticket-store.js';

export interface JournalOptions {
  readonly folder: string;
  /** Takes the one writer's lock on what is open; false when another process holds it (native.ts, lockFile). */
  readonly lock: (fd: number) => boolean;
  /** A file that would grow over this is full. Default 64 MiB. */
  readonly fileBytes?: number;
}

/** Where a line lies: in which file, counted from 0, and where there. */
export interface LinePlace extends Place {
  readonly file: number;
}

export interface Journal {
  /** Every whole line from the start, in order. */
  readonly readLines: (onLine: (line: Buffer, place: LinePlace) => void) => Promise<void>;
  readonly readAt: (place: LinePlace) => Promise<Buffer>;
  /** On disk when it resolves; gives where each line lies. Rejects with a StoreFault, and then for ever. */
  readonly append: (lines: readonly Buffer[]) => Promise<readonly LinePlace[]>;
  readonly close: () => Promise<void>;
}

const FILE_BYTES = 64 * 1024 * 1024;
const LAST = 'hub.jsonl';
/** The next last file, while files change: it is there before the full one has gone. */
const NEXT = 'hub.next.jsonl';
const FULL = /^hub-([0-9]{6})\.jsonl$/;
const MAX_FILES = 999_999;

/** Throws UserMistake for a folder or file that is open to others, in use by another hub, or not whole. */
export async function openJournal({
  folder,
  lock,
  fileBytes = FILE_BYTES,
}: JournalOptions): Promise<Journal> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const stat = await lstat(folder);
  if (!stat.isDirectory() || !isPrivate(stat))
    throw new UserMistake(
      `${folder} must be a folder of this account that nobody else can enter (chmod 700)`,
    );
  const held = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  const files: RecordFile[] = [];
  try {
    if (!lock(held.fd)) throw new UserMistake(`the record in ${folder} is in use by a hub that already runs`);
    const full = await fullFiles(folder);
    if (full.length > 0) await finishChange(folder);
    for (const name of full) files.push(await RecordFile.openWhole(folder, name));
    files.push(await RecordFile.openLast(folder, LAST));
    await syncFolder(folder);
    return new FileJournal(folder, held, files, fileBytes);
  } catch (error) {
    for (const file of files) await file.close();
    await held.close();
    throw error;
  }
}

/** A crash between the two steps of a change of files left the next one under its first name. */
async function finishChange(folder: string): Promise<void> {
  const names = await readdir(folder);
  if (names.includes(LAST)) return;
  if (!names.includes(NEXT))
    throw new UserMistake(`the record in ${folder} is damaged: its last file, ${LAST}, is missing`);
  await rename(join(folder, NEXT), join(folder, LAST));
}

/** In order; without a gap, because a file that is gone took its tickets with it. */
async function fullFiles(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder)).filter((name) => FULL.test(name)).sort();
  if (names.some((name, index) => name !== fullName(index + 1)))
    throw new UserMistake(`the record in ${folder} is damaged: a file before ${names.at(-1)} is missing`);
  return names;
}

function fullName(number: number): string {
  return `hub-${String(number).padStart(6, '0')}.jsonl`;
}

class FileJournal implements Journal {
  readonly #folder: string;
  readonly #held: FileHandle;
  /** The last one is written, the others are full. */
  readonly #files: RecordFile[];
  readonly #fileBytes: number;
  #broken: StoreFault | undefined;

  constructor(folder: string, held: FileHandle, files: RecordFile[], fileBytes: number) {
    this.#folder = folder;
    this.#held = held;
    this.#files = files;
    this.#fileBytes = fileBytes;
  }

  async readLines(onLine: (line: Buffer, place: LinePlace) => void): Promise<void> {
    for (const [file, one] of this.#files.entries())
      await one.readLines((line, place) => onLine(line, { ...place, file }));
  }

  async readAt(place: LinePlace): Promise<Buffer> {
    try {
      return await this.#file(place.file).readAt(place);
    } catch (error) {
      throw new StoreFault(`the record cannot be read: ${codeOf(error)}`);
    }
  }

  async append(lines: readonly Buffer[]): Promise<readonly LinePlace[]> {
    if (this.#broken) throw this.#broken;
    const bytes = lines.reduce((sum, { length }) => sum + length, 0);
    try {
      const { length } = this.#file(this.#files.length - 1);
      if (length > 0 && length + bytes > this.#fileBytes) await this.#beginFile();
      const file = this.#files.length - 1;
      return (await this.#file(file).append(lines)).map((place) => ({ ...place, file }));
    } catch (error) {
      this.#broken = new StoreFault(`the record in ${this.#folder} cannot be written: ${codeOf(error)}`);
      throw this.#broken;
    }
  }

  async close(): Promise<void> {
    this.#broken ??= new StoreFault('the hub is closed');
    for (const file of this.#files) await file.close();
    await this.#held.close();
  }

  /** Everything in the full file is on disk already; its new name is before anything is written behind it. */
  async #beginFile(): Promise<void> {
    if (this.#files.length > MAX_FILES) throw new StoreFault('the record has too many files');
    const next = await RecordFile.openLast(this.#folder, NEXT);
    await syncFolder(this.#folder);
    await rename(join(this.#folder, LAST), join(this.#folder, fullName(this.#files.length)));
    await rename(join(this.#folder, NEXT), join(this.#folder, LAST));
    this.#files.push(next);
    await syncFolder(this.#folder);
  }

  #file(index: number): RecordFile {
    const file = this.#files[index];
    if (file === undefined) throw new StoreFault('no such file of the record');
    return file;
  }
}

function codeOf(error: unknown): string {
  if (error instanceof StoreFault) return error.message;
  return String((error as NodeJS.ErrnoException).code ?? 'unknown');
}
