// Appends records to the log, one after the other, each on disk before its caller goes on. Used by audit-log.ts.
// The head moves only after a whole line was written; after a failed sync nothing is written any more, because nobody
// knows then what the disk holds.
import { Fault } from '../contract/fault.js';
import { LogFileLost, type LogFile } from './log-file.js';
import { NEW_FILE_EVENT, type OpenEffects } from './open-effects.js';
import { encodeRecord, type AuditHead, type CleanEvent } from './record.js';

export interface LogWriterParts {
  readonly file: LogFile;
  readonly head: AuditHead;
  readonly open: OpenEffects;
  readonly profile: string;
  readonly now: () => Date;
  /** Frees the space kept for the last records. */
  readonly releaseSpace: () => Promise<void>;
  readonly createNextFile: () => Promise<LogFile>;
  /** A checkpoint of this head, on disk when it resolves. */
  readonly saveCheckpoint: (head: AuditHead) => Promise<void>;
  readonly onFailed: (fault: Fault) => void;
  readonly maxFileBytes: number;
}

interface Waiting {
  readonly event: CleanEvent;
  readonly resolve: (head: AuditHead) => void;
  readonly reject: (fault: Fault) => void;
}

const RECORDS_PER_CHECKPOINT = 16;
const MAX_BATCH = 64;
const FULL_CODES = ['ENOSPC', 'EDQUOT'];

export class LogWriter {
  readonly #parts: LogWriterParts;
  #file: LogFile;
  #head: AuditHead;
  #signedSeq: number;
  #waiting: Waiting[] = [];
  #lost: Fault | null = null;
  #running: Promise<void> | null = null;
  #closing = false;

  constructor(parts: LogWriterParts) {
    this.#parts = parts;
    this.#file = parts.file;
    this.#head = parts.head;
    this.#signedSeq = parts.head.seq;
  }

  get head(): AuditHead {
    return this.#head;
  }

  /** Resolves with the record's head when the record is on disk; rejects with a Fault when it is not. */
  append(event: CleanEvent): Promise<AuditHead> {
    if (this.#closing) return Promise.reject(fault('it is closed'));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ event, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** Waits for what was given, signs the end, closes the file. */
  async close(): Promise<void> {
    this.#closing = true;
    await this.#running;
    if (this.#lost === null) await this.#guard(() => this.#parts.saveCheckpoint(this.#head));
    await this.#file.close();
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) await this.#writeBatch(this.#waiting.splice(0, MAX_BATCH));
    this.#running = null;
  }

  /** One write a record, one sync for those that waited together. */
  async #writeBatch(batch: readonly Waiting[]): Promise<void> {
    const written: (readonly [Waiting, AuditHead])[] = [];
    await this.#guard(() => this.#file.check(), true);
    for (const waiting of batch) {
      const failed = await this.#guard(() => this.#write(waiting.event));
      if (failed === null) written.push([waiting, this.#head]);
      else waiting.reject(failed);
    }
    const unsynced = await this.#guard(() => this.#file.sync(), true);
    for (const [waiting, head] of written) {
      if (unsynced === null) waiting.resolve(head);
      else waiting.reject(unsynced);
    }
    if (this.#head.seq - this.#signedSeq >= RECORDS_PER_CHECKPOINT) await this.#guard(() => this.#sign());
  }

  async #write(event: CleanEvent): Promise<void> {
    if (this.#file.size() >= this.#parts.maxFileBytes) await this.#rotate();
    await this.#writeRecord(event);
  }

  async #writeRecord(event: CleanEvent): Promise<void> {
    const { line, head } = encodeRecord(event, this.#head, this.#parts.now());
    const bytes = Buffer.concat([line, Buffer.from('\n')]);
    try {
      this.#file.append(bytes);
    } catch (error) {
      if (!FULL_CODES.includes(codeOf(error))) throw error;
      await this.#parts.releaseSpace();
      this.#file.append(bytes);
      this.#parts.onFailed(fault('the disk is full; this record was written to the space kept for it'));
    }
    this.#head = head;
    this.#parts.open.note(event, head.seq);
  }

  async #rotate(): Promise<void> {
    await this.#file.sync();
    await this.#sign();
    const next = await this.#parts.createNextFile();
    await this.#file.close();
    this.#file = next;
    const open = this.#parts.open.list().map((effect) => ({ ...effect }));
    await this.#writeRecord({ event: NEW_FILE_EVENT, profile: this.#parts.profile, open });
  }

  async #sign(): Promise<void> {
    await this.#parts.saveCheckpoint(this.#head);
    this.#signedSeq = this.#head.seq;
  }

  /** Runs a step; gives the fault that it ended in, or null. `isLast`: after a failure nothing may be written. */
  async #guard(step: () => Promise<void> | void, isLast = false): Promise<Fault | null> {
    if (this.#lost !== null) return this.#lost;
    try {
      await step();
      return null;
    } catch (error) {
      const failure = fault(error instanceof Error ? error.message : 'unknown');
      if (isLast || error instanceof LogFileLost) this.#lost = failure;
      this.#parts.onFailed(failure);
      return failure;
    }
  }
}

function fault(detail: string): Fault {
  return new Fault('E_INTERNAL', `the audit log cannot be written: ${detail}`);
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}
