// How much processor time a process has used, read while it still exists (a zombie still does).
// Called by run-sandboxed.ts when an output stream of the program ends, which is when it ends. Never throws:
// the number is for the audit and for plugin authors, nothing is decided by it.
import { readFileSync } from 'node:fs';

const MS_PER_TICK = 10; // USER_HZ is 100 on x64 and arm64
const NS_PER_MS = 1_000_000;

/** Milliseconds of all threads (to a tick) or of the first (exact), whichever says more; 0 when it is gone. */
export function sampleCpuMs(pid: number): number {
  const stat = readOrEmpty(`/proc/${pid}/stat`);
  // The name in parentheses is the program's to choose; the numbers start after the last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
  const firstThreadNs = Number(readOrEmpty(`/proc/${pid}/schedstat`).split(' ')[0]);
  return Math.max(ticks * MS_PER_TICK || 0, firstThreadNs / NS_PER_MS || 0);
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
