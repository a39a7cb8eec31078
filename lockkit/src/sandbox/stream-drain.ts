// Reads a program's output to its end so that it never blocks, keeps the first bytes and counts the rest.
// Called by run-sandboxed.ts for standard output, standard error and detail. It must never let a flood take the
// console's thread: after each MiB it stops reading for some milliseconds, and the program waits.
import type { Readable } from 'node:stream';

export interface Drain {
  readonly kept: () => Buffer;
  readonly totalBytes: () => number;
  /** Stop waiting between MiBs: the writer is gone. */
  readonly hurry: () => void;
}

const BURST_BYTES = 1024 * 1024;
const REST_MS = 4;

/** `onBytes` is told the total after each chunk. */
export function drainStream(
  stream: Readable,
  keepBytes: number,
  onBytes: (totalBytes: number) => void = () => {},
): Drain {
  const kept: Buffer[] = [];
  let total = 0;
  let burst = 0;
  let hurried = false;
  stream.on('error', () => {});
  stream.on('data', (chunk: Buffer) => {
    // A copy, so that four kept bytes do not hold a whole read buffer.
    if (total < keepBytes) kept.push(Buffer.from(chunk.subarray(0, keepBytes - total)));
    total += chunk.length;
    burst += chunk.length;
    if (burst >= BURST_BYTES && !hurried) {
      burst = 0;
      stream.pause();
      setTimeout(() => stream.resume(), REST_MS);
    }
    onBytes(total);
  });
  return {
    kept: () => Buffer.concat(kept),
    totalBytes: () => total,
    hurry: () => {
      hurried = true;
      stream.resume();
    },
  };
}
