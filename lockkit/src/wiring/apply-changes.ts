// Carries out a plan: every new file is written whole beside its place first, and only when all are on disk they
// take their places. Called by run-wiring only. On any failure before that nothing has changed.
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { FileState } from './change.js';
import { readProjectFile, resolveInside } from './project-files.js';

/** A file to write: its path in the project, what was read there, and its whole new text. */
export interface Write {
  readonly path: string;
  readonly before: FileState;
  readonly text: string;
}

/** null when every file is in its place; else the file that failed and why, and nothing was changed before it. */
export type ApplyResult = null | { readonly path: string; readonly reason: string };

interface Staged {
  readonly path: string;
  readonly temporary: string;
  readonly target: string;
}

export function applyChanges(root: string, writes: readonly Write[]): ApplyResult {
  const staged: Staged[] = [];
  const folders: string[] = [];
  let current = '';
  try {
    for (const write of writes) {
      current = write.path;
      staged.push(stage(root, write, folders));
    }
    for (const { path, temporary, target } of staged) {
      current = path;
      renameSync(temporary, target);
    }
    return null;
  } catch (error) {
    for (const { temporary } of staged) rmSync(temporary, { force: true });
    for (const folder of folders.reverse()) removeIfEmpty(folder);
    return { path: current, reason: reasonOf(error) };
  }
}

class Moved extends Error {}

function stage(root: string, write: Write, folders: string[]): Staged {
  const now = readProjectFile(root, write.path);
  const target = resolveInside(root, write.path);
  if (target.kind === 'outside' || !isSame(now, write.before)) throw new Moved();
  const folder = dirname(target.path);
  const made = mkdirSync(folder, { recursive: true });
  if (made !== undefined) folders.push(...foldersBetween(made, folder));
  const temporary = join(folder, `.${basename(target.path)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    writeWhole(temporary, target.path, write.text);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  return { path: write.path, temporary, target: target.path };
}

function isSame(a: FileState, b: FileState): boolean {
  return a.kind === b.kind && (a.kind !== 'text' || b.kind !== 'text' || a.text === b.text);
}

/** Writes and syncs a new file with the mode and owner of the one that it will replace. */
function writeWhole(temporary: string, target: string, text: string): void {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const fd = openSync(temporary, flags, 0o644);
  try {
    const old = lstatSync(target, { throwIfNoEntry: false });
    if (old !== undefined) {
      fchownSync(fd, old.uid, old.gid);
      fchmodSync(fd, old.mode & 0o777);
    }
    writeFileSync(fd, text);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function foldersBetween(first: string, last: string): readonly string[] {
  const folders = [last];
  for (let folder = last; folder !== first;) {
    folder = dirname(folder);
    folders.unshift(folder);
  }
  return folders;
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Somebody else put something there meanwhile: it is theirs now.
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof Moved) return 'it changed while it was read; run the command again';
  const code = (error as NodeJS.ErrnoException).code;
  if (code === undefined) throw error;
  return `it cannot be written (${code})`;
}
