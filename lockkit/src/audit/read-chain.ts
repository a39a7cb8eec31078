// Reads all files of a log from the first record on and stops at the first that is not as it should be. Called by
// verify-audit.ts and show-audit.ts. Must never throw for what a file holds.
import { constants } from 'node:fs';
import { checkLine, type LineFault } from './chain.js';
import { readLines, type RawLine } from './line-reader.js';
import { listLogFiles, logPath } from './log-names.js';
import { openPrivateFile } from './private-file.js';
import { EMPTY_HEAD, type AuditHead, type AuditRecord } from './record.js';

export type ChainFault = LineFault | 'file_missing' | 'file_unreadable' | 'unfinished_line';

export interface ChainReading {
  readonly files: number;
  /** The last record that is whole. */
  readonly head: AuditHead;
  /** What follows the head, when it is not as it should be. */
  readonly fault: ChainFault | null;
  /** The log ends in an unfinished line, as a crash leaves it. */
  readonly torn: boolean;
}

/** Calls `onRecord` for every whole record, in order, with the head that it makes and its line. */
export async function readChain(
  dir: string,
  onRecord: (record: AuditRecord, head: AuditHead, line: Buffer) => void | Promise<void>,
): Promise<ChainReading> {
  const numbers = await listLogFiles(dir);
  let reading: ChainReading = { files: numbers.length, head: EMPTY_HEAD, fault: null, torn: false };
  const take = async ({ bytes, ended }: RawLine, isLast: boolean): Promise<boolean> => {
    const checked = checkLine(reading.head, bytes);
    if (!ended && isLast) reading = { ...reading, torn: true };
    else if (!checked.ok) reading = { ...reading, fault: checked.fault };
    else if (!ended) reading = { ...reading, fault: 'unfinished_line' };
    if (!checked.ok || reading.fault !== null) return false;
    reading = { ...reading, head: checked.head };
    await onRecord(checked.record, checked.head, bytes);
    return true;
  };
  for (const [index, number] of numbers.entries()) {
    if (number !== index + 1) return { ...reading, fault: 'file_missing' };
    const whole = await readFile(logPath(dir, number), (line) => take(line, number === numbers.at(-1)));
    if (whole === 'unreadable') return { ...reading, fault: 'file_unreadable' };
    if (whole === 'stopped') return reading;
  }
  return reading;
}

async function readFile(
  path: string,
  take: (line: RawLine) => Promise<boolean>,
): Promise<'read' | 'stopped' | 'unreadable'> {
  const file = await openPrivateFile(path, constants.O_RDONLY).catch(() => null);
  if (file === null) return 'unreadable';
  try {
    for await (const line of readLines(file)) if (!(await take(line))) return 'stopped';
    return 'read';
  } finally {
    await file.close();
  }
}
