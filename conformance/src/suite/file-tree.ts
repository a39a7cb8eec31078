// What lies in a folder, to see afterwards what a command made, changed, replaced or removed. Called by the judges.
// It follows no link, and bounds what it reads.
import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, readdirSync, readlinkSync, type Stats } from 'node:fs';
import { join } from 'node:path';

export interface Entry {
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  /** Of a file: the hash of its bytes; of a link: where it points. */
  readonly content: string;
  /** Of a file: changes when it is written or replaced, even with the same bytes. */
  readonly written: string;
}

export type FileTree = ReadonlyMap<string, Entry>;

const MAX_READ_BYTES = 8 * 1024 * 1024;

/** Everything below `folder`, itself included, without what lies in `except`; empty where it is missing. */
export function readTree(folder: string, except: readonly string[] = []): FileTree {
  const tree = new Map<string, Entry>();
  visit(folder, except, tree);
  return tree;
}

function visit(path: string, except: readonly string[], tree: Map<string, Entry>): void {
  const stat = lstatSync(path, { throwIfNoEntry: false, bigint: false });
  if (stat === undefined || except.includes(path)) return;
  tree.set(path, entryOf(path, stat));
  if (stat.isDirectory()) for (const name of readdirSync(path).sort()) visit(join(path, name), except, tree);
}

function entryOf(path: string, stat: Stats): Entry {
  const { mode, uid, gid } = stat;
  const base = { mode: mode & 0o7777, uid, gid };
  if (stat.isSymbolicLink()) return { ...base, kind: 'link', content: readlinkSync(path), written: '' };
  if (stat.isDirectory()) return { ...base, kind: 'folder', content: '', written: '' };
  if (!stat.isFile()) return { ...base, kind: 'other', content: '', written: '' };
  const bytes = stat.size <= MAX_READ_BYTES ? readFileSync(path) : Buffer.from(String(stat.size));
  const content = createHash('sha256').update(bytes).digest('hex');
  return { ...base, kind: 'file', content, written: `${String(stat.ino)}:${String(stat.mtimeMs)}` };
}

/** The first path that differs, in words; null when nothing does. */
export function firstDifference(before: FileTree, after: FileTree): string | null {
  for (const [path, entry] of before) {
    const now = after.get(path);
    if (now === undefined) return `${path} is gone`;
    if (now.kind !== entry.kind) return `${path} is another kind of file`;
    if (now.content !== entry.content) return `${path} was changed`;
    if (now.mode !== entry.mode || now.uid !== entry.uid || now.gid !== entry.gid)
      return `${path} has another mode or owner`;
    if (now.written !== entry.written) return `${path} was written again`;
  }
  for (const path of after.keys()) if (!before.has(path)) return `${path} is new`;
  return null;
}

/** The first file that holds the text, or null. */
export function findText(tree: FileTree, text: string): string | null {
  for (const [path, { kind }] of tree)
    if (kind === 'file' && lstatSync(path).size <= MAX_READ_BYTES && readFileSync(path).includes(text))
      return path;
  return null;
}
