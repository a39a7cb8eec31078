// Holds verified programs in sealed memory, so that the bytes that were hashed are the bytes that run, whatever
// happens to the file meanwhile. Opened once a session by a lock's console; run-sandboxed.ts executes its descriptors.
// It must never give out a binary whose hash was taken from anything but the sealed descriptor itself.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, read } from 'node:fs';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { accepted, type Outcome, refused } from '../contract/outcome.js';
import { Fault } from '../contract/fault.js';
import type { UsableKernel } from './probe-kernel.js';
import { checkStaticElf, ELF_HEAD_BYTES } from './static-elf.js';

export interface StoredBinary {
  /** Sealed, read-only; closed with the store. */
  readonly fd: number;
  readonly sha256: string;
  readonly bytes: number;
  readonly kernel: UsableKernel;
  /**
   * One run of a binary at a time: two runs that share its pages could signal each other through them (futex),
   * and the answer about one file would then depend on another.
   */
  readonly exclusively: <T>(run: () => Promise<T>) => Promise<T>;
}

/** Why a program is not taken in. */
export type BinaryRefusal =
  'missing' | 'not_a_file' | 'too_large' | 'not_a_program' | 'dynamic' | 'hash_mismatch';

export interface BinaryStore {
  /** Reads the file once; `sha256` is lower-case hex, from the signed index. A second call with the same hash reads nothing. */
  readonly store: (path: string, sha256: string) => Promise<Outcome<StoredBinary, BinaryRefusal>>;
  readonly close: () => void;
}

export const MAX_BINARY_BYTES = 256 * 1024 * 1024;
/** Where the launcher's `--hold` form keeps the sealed descriptor. */
const HELD_FD = 9;
const readAt = promisify(read);

export function openBinaryStore(kernel: UsableKernel): BinaryStore {
  const stored = new Map<string, StoredBinary>();
  return {
    store: async (path, sha256) => {
      const known = stored.get(sha256);
      if (known !== undefined) return accepted(known);
      const outcome = await storeFile(path, sha256, kernel);
      if (outcome.ok) stored.set(sha256, outcome.value);
      return outcome;
    },
    close: () => {
      for (const { fd } of stored.values()) closeSync(fd);
      stored.clear();
    },
  };
}

async function storeFile(
  path: string,
  sha256: string,
  kernel: UsableKernel,
): Promise<Outcome<StoredBinary, BinaryRefusal>> {
  const file = openFile(path);
  if (file === null) return refused('missing');
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) return refused('not_a_file');
    if (stat.size > MAX_BINARY_BYTES) return refused('too_large');
    return await checkSealed(await sealCopy(file, kernel.launcherPath), sha256, kernel);
  } finally {
    closeSync(file);
  }
}

function openFile(path: string): number | null {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return null;
  }
}

/** A helper copies the file into a memfd and seals it; we open the sealed memfd before the helper goes. */
async function sealCopy(file: number, launcherPath: string): Promise<number> {
  const helper = spawn(launcherPath, ['--hold'], { stdio: [file, 'pipe', 'ignore', 'pipe'], env: {} });
  const gone = once(helper, 'close').catch(() => {});
  helper.stdio[3]?.on('error', () => {});
  try {
    const said = await Promise.race([once(helper.stdio[1] as Readable, 'data'), gone]);
    if (String(said?.[0]) !== 'held\n')
      throw new Fault('E_INTERNAL', 'sandbox: the program could not be sealed');
    return openSync(`/proc/${helper.pid}/fd/${HELD_FD}`, constants.O_RDONLY);
  } finally {
    helper.kill('SIGKILL');
    // Not before it is gone: while it holds the memfd for writing, the kernel would not execute it.
    await gone;
  }
}

async function checkSealed(
  fd: number,
  sha256: string,
  kernel: UsableKernel,
): Promise<Outcome<StoredBinary, BinaryRefusal>> {
  const refuse = (code: BinaryRefusal): Outcome<StoredBinary, BinaryRefusal> => {
    closeSync(fd);
    return refused(code);
  };
  const { head, digest, bytes } = await readSealed(fd);
  if (digest !== sha256) return refuse('hash_mismatch');
  const elf = checkStaticElf(head, kernel.architecture);
  if (elf !== 'static') return refuse(elf);
  return accepted({ fd, sha256, bytes, kernel, exclusively: oneAtATime() });
}

async function readSealed(fd: number): Promise<{ head: Buffer; digest: string; bytes: number }> {
  const hash = createHash('sha256');
  const chunk = Buffer.alloc(1024 * 1024);
  let head = Buffer.alloc(0);
  let at = 0;
  for (;;) {
    const { bytesRead } = await readAt(fd, chunk, 0, chunk.length, at);
    if (bytesRead === 0) return { head, digest: hash.digest('hex'), bytes: at };
    if (at === 0) head = Buffer.from(chunk.subarray(0, Math.min(bytesRead, ELF_HEAD_BYTES)));
    hash.update(chunk.subarray(0, bytesRead));
    at += bytesRead;
  }
}

function oneAtATime(): StoredBinary['exclusively'] {
  let last: Promise<unknown> = Promise.resolve();
  return (run) => {
    const mine = last.then(run, run);
    last = mine.catch(() => {});
    return mine;
  };
}
