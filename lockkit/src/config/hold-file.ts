// One writer at a time on a configuration file: two `profile add` at once must both be kept. A holder that died is
// found by its pid. Used around read, edit and replace only; it protects against accidents, not against an attacker.
import { closeSync, constants, openSync, readFileSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { Fault } from '../contract/fault.js';

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const POLL_MS = 20;

export interface HoldOptions {
  /** How long to wait for another writer; then Fault E_BUSY. */
  readonly waitMs?: number;
  readonly nowMs?: () => number;
}

/** Runs `edit` while `<path>.lock` is held. */
export function holdFile<T>(
  path: string,
  edit: () => T,
  { waitMs = 10_000, nowMs = Date.now }: HoldOptions = {},
): T {
  const lock = `${path}.lock`;
  const until = nowMs() + waitMs;
  while (!tryTake(lock)) {
    if (holderDied(lock)) {
      unlinkSync(lock);
      continue;
    }
    if (nowMs() > until) throw new Fault('E_BUSY', `${path} is being edited; if nobody does, remove ${lock}`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
  }
  try {
    return edit();
  } finally {
    unlinkSync(lock);
  }
}

function tryTake(lock: string): boolean {
  let fd: number;
  try {
    fd = openSync(lock, CREATE, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw new Fault(
      'E_INTERNAL',
      `${lock} could not be made: ${String((error as NodeJS.ErrnoException).code)}`,
    );
  }
  writeSync(fd, String(process.pid));
  closeSync(fd);
  return true;
}

/** A lock without a pid yet counts as alive until it is ten seconds old. */
function holderDied(lock: string): boolean {
  try {
    const pid = Number(readFileSync(lock, 'utf8'));
    if (!Number.isInteger(pid) || pid <= 0) return Date.now() - statSync(lock).mtimeMs > 10_000;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
