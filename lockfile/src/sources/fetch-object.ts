// Copies one object into a file of the workspace, a bounded chunk at a time: the same memory for a byte and for 4 GiB.
// Called by the plan's run. It stops at max_object_bytes, at a stall and at an abort; any failure leaves no file.
import { createHash } from 'node:crypto';
import { closeSync, constants, open, openSync, unlinkSync, write } from 'node:fs';
import { promisify } from 'node:util';
import { FetchFailure, type OpenObject, type Source } from './source.js';

const writeFd = promisify(write);
const openFd = promisify(open);

const CHUNK_BYTES = 256 * 1024;

export interface FetchLimits {
  readonly maxBytes: number;
  /** The longest silence of a source, its opening included. */
  readonly stallMs: number;
}

export interface FetchedFile {
  /** Read-only; the caller closes it. */
  readonly fd: number;
  readonly bytes: number;
  /** SHA-256 of the content: tells whether a later fetch of the key brought the same file. Never leaves the console. */
  readonly contentHash: string;
}

export interface FetchParts {
  readonly source: Source;
  readonly limits: FetchLimits;
  readonly signal: AbortSignal;
  readonly after: (ms: number, call: () => void) => () => void;
}

/** Fetches `key` into the new file `path`. Throws FetchFailure. */
export async function fetchObject(key: string, path: string, parts: FetchParts): Promise<FetchedFile> {
  // One for all steps: the first that is given up is the last.
  const ended = new AbortController();
  const object = await inTime(
    parts,
    ended,
    (signal) => parts.source.open(key, signal),
    (late) => late.close(),
  );
  try {
    const target = await openFd(path, 'wx', 0o600).catch(asDisk);
    try {
      const copied = await copy(object, target, parts, ended);
      // The same inode for reading: by its descriptor, whatever its name has become.
      const fd = openSync(`/proc/self/fd/${target}`, constants.O_RDONLY);
      return { fd, ...copied };
    } catch (error) {
      unlinkSync(path);
      throw error;
    } finally {
      closeSync(target);
    }
  } finally {
    await object.close();
  }
}

async function copy(
  object: OpenObject,
  target: number,
  parts: FetchParts,
  ended: AbortController,
): Promise<{ readonly bytes: number; readonly contentHash: string }> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  const hash = createHash('sha256');
  const read = (signal: AbortSignal): Promise<number> => object.read(chunk, signal);
  let bytes = 0;
  for (;;) {
    const got = await inTime(parts, ended, read);
    if (got === 0) return { bytes, contentHash: hash.digest('hex') };
    bytes += got;
    if (bytes > parts.limits.maxBytes) throw new FetchFailure('too_large');
    hash.update(chunk.subarray(0, got));
    await writeAll(target, chunk.subarray(0, got));
  }
}

async function writeAll(fd: number, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.byteLength;) {
    const { bytesWritten } = await writeFd(fd, bytes, at, bytes.byteLength - at, null).catch(asDisk);
    at += bytesWritten;
  }
}

function asDisk(): never {
  throw new FetchFailure('disk');
}

/**
 * Waits for one step of the source, and no longer than a stall may last. A step that answers after it was given up
 * is handed to `late`, so that nothing stays open.
 */
async function inTime<T>(
  { limits, signal, after }: FetchParts,
  ended: AbortController,
  step: (signal: AbortSignal) => Promise<T>,
  late?: (value: T) => Promise<void>,
): Promise<T> {
  if (signal.aborted) throw new FetchFailure('aborted');
  const running = step(ended.signal);
  return new Promise<T>((resolve, reject) => {
    const giveUp = (cause: 'stalled' | 'aborted') => (): void => {
      settle();
      ended.abort();
      if (late !== undefined) running.then(late).catch(() => undefined);
      reject(new FetchFailure(cause));
    };
    const onAbort = giveUp('aborted');
    const cancel = after(limits.stallMs, giveUp('stalled'));
    const settle = (): void => {
      cancel();
      signal.removeEventListener('abort', onAbort);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    running.then(resolve, (error: unknown) =>
      reject(error instanceof FetchFailure ? error : new FetchFailure('network')),
    );
    running.then(settle, settle);
  });
}
