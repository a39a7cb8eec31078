// The mark in an installed program's folder: that install made it, and which ordinary accounts could write what it was
// copied from. None of them may ever become a client: what it wrote would run in the console.
import type { FactsIo } from '../facts-io.js';

/** In the library: proves that the folder is an installed program. */
export const LIBRARY_MARK = 'installed-by-lockkit';

export function encodeWriters(uids: readonly number[]): string {
  return uids.map((uid) => `writer ${String(uid)}\n`).join('');
}

/** Of the program that lies in this package's folder; empty where it was not installed. */
export function readWriters(io: FactsIo, packageFolder: string): readonly number[] {
  const at = packageFolder.indexOf('/node_modules/');
  const text = at < 0 ? null : io.readText(`${packageFolder.slice(0, at)}/${LIBRARY_MARK}`);
  return [...(text ?? '').matchAll(/^writer ([0-9]{1,10})$/gm)].map(([, uid]) => Number(uid));
}
