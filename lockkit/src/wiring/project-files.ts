// Reads the files of a project for wiring, and finds where a path really lies. Called by run-wiring and apply.
// Nothing is reached through a link that leaves the project; whatever is no plain text is named and left alone.
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { FileState } from './change.js';

/** Largest settings file that is edited. */
const MAX_FILE_BYTES = 1024 * 1024;

/** What a path of the project holds. Every reason why it must not be touched becomes `other`. */
export function readProjectFile(root: string, path: string): FileState {
  const target = resolveInside(root, path);
  if (target.kind === 'outside')
    return other('it is reached through a link that leaves the project or leads nowhere');
  try {
    return readText(target.path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') return { kind: 'missing' };
    return other(`it cannot be read (${code ?? 'unknown error'})`);
  }
}

function other(reason: string): FileState {
  return { kind: 'other', reason };
}

function readText(path: string): FileState {
  // Non-blocking, so that a fifo is looked at and not waited for.
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) return other('it is not a file');
    if (stat.size > MAX_FILE_BYTES) return other(`it is larger than ${String(MAX_FILE_BYTES)} bytes`);
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(fd));
    return text.includes('\0') ? other('it is not text') : { kind: 'text', text };
  } catch (error) {
    if (error instanceof TypeError) return other('it is not UTF-8');
    throw error;
  } finally {
    closeSync(fd);
  }
}

type Target = { readonly kind: 'inside'; readonly path: string } | { readonly kind: 'outside' };

/** The real place of a path: links are followed as long as they stay inside the project. */
export function resolveInside(root: string, path: string): Target {
  const realRoot = realpathSync(root);
  let current = realRoot;
  const parts = path.split('/');
  for (const [index, part] of parts.entries()) {
    const next = join(current, part);
    const real = realIfThere(next);
    if (real === 'missing') return { kind: 'inside', path: join(current, ...parts.slice(index)) };
    if (real === 'broken' || !isInside(realRoot, real)) return { kind: 'outside' };
    current = real;
  }
  return { kind: 'inside', path: current };
}

function realIfThere(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return 'broken';
    // A link that leads nowhere is there, although what it names is not.
    return isLink(path) ? 'broken' : 'missing';
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}
