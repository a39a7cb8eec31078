// The audit log of one console: opened once, held by a lock, appended to before every effect and every answer
// (docs/decisions.md, "Audit"). Called by the console. Opening checks what is there and repairs only a torn end; a log
// that cannot be trusted or written is an error that must stop the console.
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { UserMistake } from '../contract/fault.js';
import { openAuditKey, type AuditKey } from './audit-key.js';
import { encodeCheckpoint, parseCheckpoint } from './checkpoint.js';
import { createLogFile, openLogFile, type LogFile } from './log-file.js';
import { checkpointPath, lockPath, logPath, reservePath } from './log-names.js';
import { readLogStart, type LogStart } from './log-start.js';
import { LogWriter } from './log-writer.js';
import { openPrivateFile, openPrivateFolder, readPrivateFile, replacePrivateFile } from './private-file.js';
import { cleanEvent, type AuditEvent, type AuditHead } from './record.js';
import { fillReserve, releaseReserve } from './reserve.js';
import { repairTail, type TornTail } from './torn-tail.js';

export interface AuditLogOptions {
  /** The log's own folder; made (0700) where it is missing. */
  readonly dir: string;
  /** Stands in every record that names no profile of its own. */
  readonly profile: string;
  readonly now: () => Date;
  /** Takes the one writer's lock on an open file; false when another process holds it (native.ts, lockFile). */
  readonly lock: (fd: number) => boolean;
  /** Length after which a new file is begun; default 8 MiB. */
  readonly maxFileBytes?: number | undefined;
}

/** What opening found, for the human: a log that begins is news too. */
export interface AuditNews {
  readonly created: boolean;
  readonly tornTail: TornTail | null;
  /** Effects that a crash left without an end; each has its record `effect.unknown_end` now. */
  readonly unknownEnds: number;
}

export interface AuditLog {
  /** Resolves when the record is on disk; rejects with a Fault when it is not, and then the effect must not start. */
  readonly append: (event: AuditEvent) => Promise<AuditHead>;
  readonly head: () => AuditHead;
  /** The head as a signed checkpoint, for a holder elsewhere. */
  readonly checkpoint: () => string;
  readonly news: AuditNews;
  /** Aborted, with the Fault as reason, when a record could not be written as it should: the console must stop. */
  readonly failed: AbortSignal;
  /** Waits for what was given, signs the end, lets the lock go. */
  readonly close: () => Promise<void>;
}

const MAX_FILE_BYTES = 8 * 1024 * 1024;
const MAX_CHECKPOINT_BYTES = 4096;

/** Throws UserMistake for a log that is in use, open to others, broken, cut or not ours; Fault when it cannot be written. */
export async function openAuditLog(options: AuditLogOptions): Promise<AuditLog> {
  await openPrivateFolder(options.dir);
  const lock = await takeLock(options);
  try {
    return await openLocked(options, lock);
  } catch (error) {
    await lock.close();
    throw error;
  }
}

async function takeLock({ dir, lock }: AuditLogOptions): Promise<FileHandle> {
  const file = await openPrivateFile(lockPath(dir), constants.O_RDWR | constants.O_CREAT);
  if (lock(file.fd)) return file;
  await file.close();
  throw new UserMistake(`the audit log in ${dir} is written by a console that is already running`);
}

async function openLocked(options: AuditLogOptions, lock: FileHandle): Promise<AuditLog> {
  const { dir } = options;
  const key = await openAuditKey(dir);
  const signed = await readSigned(dir, key);
  const start = await readLogStart(dir, signed);
  const tornTail = start.tail === null ? null : await repairTail(logPath(dir, start.number), start.tail);
  await fillReserve(reservePath(dir));
  const failing = new AbortController();
  const writer = await openWriter(options, key, start, failing);
  const append = (event: AuditEvent): Promise<AuditHead> =>
    writer.append(cleanEvent({ ...event, profile: event.profile ?? options.profile }));
  const unknownEnds = start.open.list().length;
  await recordStart(append, start, tornTail);
  await saveCheckpoint(dir, key, writer.head);
  return {
    append,
    head: () => writer.head,
    checkpoint: () => encodeCheckpoint(writer.head, key.verifier, key.privateKey),
    news: { created: start.number === 0, tornTail, unknownEnds },
    failed: failing.signal,
    close: () => writer.close().finally(() => lock.close()),
  };
}

async function readSigned(dir: string, key: AuditKey): Promise<AuditHead | null> {
  const note = await readPrivateFile(checkpointPath(dir), MAX_CHECKPOINT_BYTES);
  if (note === null) return null;
  const signed = parseCheckpoint(note, key.verifier);
  if (signed === null)
    throw new UserMistake(
      `the checkpoint in ${dir} is not signed by the log’s key; move the folder away to begin a new log`,
    );
  return signed;
}

async function openWriter(
  options: AuditLogOptions,
  key: AuditKey,
  start: LogStart,
  failing: AbortController,
): Promise<LogWriter> {
  const { dir } = options;
  let number = Math.max(1, start.number);
  const create = (): Promise<LogFile> => createLogFile(logPath(dir, number));
  return new LogWriter({
    ...start,
    file: start.number === 0 ? await create() : await openLogFile(logPath(dir, number)),
    profile: options.profile,
    now: options.now,
    releaseSpace: () => releaseReserve(reservePath(dir)),
    createNextFile: () => {
      number += 1;
      return create();
    },
    saveCheckpoint: (head) => saveCheckpoint(dir, key, head),
    onFailed: (fault) => failing.abort(fault),
    maxFileBytes: options.maxFileBytes ?? MAX_FILE_BYTES,
  });
}

function saveCheckpoint(dir: string, key: AuditKey, head: AuditHead): Promise<void> {
  return replacePrivateFile(checkpointPath(dir), encodeCheckpoint(head, key.verifier, key.privateKey));
}

async function recordStart(
  append: AuditLog['append'],
  start: LogStart,
  tornTail: TornTail | null,
): Promise<void> {
  if (tornTail !== null) await append({ event: 'log.torn_tail', ...tornTail });
  for (const { id, profile, seq } of start.open.list()) {
    await append({ event: 'effect.unknown_end', profile, closes: id, opened_seq: seq });
  }
}
