// Where a log stands when it is opened: its last file read to the end, every line checked. Called by audit-log.ts.
// Only what stands behind the last newline may be repaired; anything else that is wrong refuses the start.
import { constants } from 'node:fs';
import { UserMistake } from '../contract/fault.js';
import { checkLine } from './chain.js';
import { readLines, type RawLine } from './line-reader.js';
import { findGap, listLogFiles, logPath } from './log-names.js';
import { createOpenEffects, type OpenEffects } from './open-effects.js';
import { openPrivateFile } from './private-file.js';
import { EMPTY_HEAD, type AuditHead } from './record.js';

export interface LogStart {
  /** The number of the last file; 0 when there is none. */
  readonly number: number;
  readonly head: AuditHead;
  readonly open: OpenEffects;
  /** What stands behind the last newline: where it begins, and whether it is a whole record. */
  readonly tail: LogTail | null;
}

export interface LogTail {
  readonly offset: number;
  readonly isRecord: boolean;
}

/** `signed` is the head of the checkpoint beside the log, or null when there is none. */
export async function readLogStart(dir: string, signed: AuditHead | null): Promise<LogStart> {
  const numbers = await listLogFiles(dir);
  const gap = findGap(numbers);
  if (gap !== null) throw refusal(dir, `its file ${gap} is missing`);
  const last = numbers.length;
  const reader = new StartReader(dir, signed, last > 2 ? null : EMPTY_HEAD);
  // A checkpoint is made before every new file, so these two hold the signed record.
  for (const number of numbers.slice(-2)) await reader.readFile(number, number === last);
  return reader.result(last);
}

class StartReader {
  readonly #dir: string;
  readonly #signed: AuditHead | null;
  readonly #open = createOpenEffects();
  #head: AuditHead | null;
  #tail: LogTail | null = null;
  #metSigned: boolean;

  /** `head` null: that of the first record that is read, which only the verifier can hold against the files before. */
  constructor(dir: string, signed: AuditHead | null, head: AuditHead | null) {
    this.#dir = dir;
    this.#signed = signed;
    this.#head = head;
    this.#metSigned = signed === null || (signed.seq === 0 && signed.hash === EMPTY_HEAD.hash);
  }

  async readFile(number: number, isLast: boolean): Promise<void> {
    const file = await openPrivateFile(logPath(this.#dir, number), constants.O_RDONLY);
    try {
      for await (const line of readLines(file)) this.#take(line, isLast);
    } finally {
      await file.close();
    }
  }

  #take({ bytes, offset, ended }: RawLine, isLast: boolean): void {
    const head = this.#head ?? headBefore(bytes);
    const checked = checkLine(head, bytes);
    if (!ended && isLast) this.#tail = { offset, isRecord: checked.ok };
    if (!checked.ok && !ended && isLast) return;
    if (!checked.ok || (!ended && !isLast)) throw refusal(this.#dir, `record ${head.seq + 1} is broken`);
    this.#head = checked.head;
    this.#open.note(checked.record, checked.head.seq);
    if (this.#signed?.seq === checked.head.seq) this.#metSigned = this.#signed.hash === checked.head.hash;
  }

  result(number: number): LogStart {
    const head = this.#head ?? EMPTY_HEAD;
    if (this.#signed !== null && this.#signed.seq > head.seq)
      throw refusal(this.#dir, 'it is shorter than its checkpoint says');
    if (!this.#metSigned) throw refusal(this.#dir, 'it is not the one that its checkpoint signed');
    return { number, head, open: this.#open, tail: this.#tail };
  }
}

/** The head that a record claims to follow; an impossible one when it is no record. */
function headBefore(line: Buffer): AuditHead {
  try {
    const { seq, prev } = JSON.parse(line.toString()) as { seq: unknown; prev: unknown };
    return typeof seq === 'number' && typeof prev === 'string' ? { seq: seq - 1, hash: prev } : EMPTY_HEAD;
  } catch {
    return EMPTY_HEAD;
  }
}

function refusal(dir: string, why: string): UserMistake {
  return new UserMistake(
    `the audit log in ${dir} cannot be continued: ${why}. Verify it, keep the folder, and move it away to begin a new log`,
  );
}
