// What runs on this machine, for tests that look for their own children.
import { readdirSync, readFileSync } from 'node:fs';

export interface Running {
  readonly pid: number;
  /** The arguments with a space between. */
  readonly line: string;
}

export function commandLines(): readonly Running[] {
  return readdirSync('/proc')
    .filter((name) => /^[0-9]+$/.test(name))
    .flatMap((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return line === '' ? [] : [{ pid: Number(pid), line }];
      } catch {
        // It ended in between.
        return [];
      }
    });
}
