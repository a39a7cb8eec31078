// The names of a log's files. Called by writer, verifier and display. The files are numbered from 1 without a gap; a
// missing one is a broken log, not a shorter one.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

const NAME = /^audit-(\d{6})\.jsonl$/;

export function logPath(dir: string, number: number): string {
  return join(dir, `audit-${String(number).padStart(6, '0')}.jsonl`);
}

/** The numbers of the files that are there, in order; none when the folder is missing. */
export async function listLogFiles(dir: string): Promise<readonly number[]> {
  const names = await readdir(dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names
    .flatMap((name) => NAME.exec(name)?.[1] ?? [])
    .map(Number)
    .toSorted((a, b) => a - b);
}

/** The first number of 1…n that is missing, or null. */
export function findGap(numbers: readonly number[]): number | null {
  const index = numbers.findIndex((number, position) => number !== position + 1);
  return index < 0 ? null : index + 1;
}

export const lockPath = (dir: string): string => join(dir, 'lock');
export const checkpointPath = (dir: string): string => join(dir, 'checkpoint');
export const reservePath = (dir: string): string => join(dir, 'reserve');
