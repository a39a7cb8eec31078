// Whether somebody else could change what a path leads to: the entry and every folder above it. Called for the program,
// for system.toml and for what install copies. It looks; it never opens.
import { dirname } from 'node:path';
import type { FactsIo } from './facts-io.js';
import type { PathFact } from './session-facts.js';

/** The real path's own entry first, then every folder up to the root. Empty: it leads nowhere. */
export function lookUpwards(io: FactsIo, path: string): readonly PathFact[] {
  const facts: PathFact[] = [];
  for (let at = io.realPath(path); at !== null; at = at === '/' ? null : dirname(at)) {
    const fact = io.look(at);
    if (fact === null) return [];
    facts.push(fact);
  }
  return facts;
}

/** Root owns it and nobody else may write. A sticky folder (/tmp) protects what root put into it. */
export function isRootOnly(fact: PathFact): boolean {
  if (fact.uid !== 0) return false;
  const sticky = fact.kind === 'folder' && (fact.mode & 0o1000) !== 0;
  return fact.kind === 'link' || sticky || (fact.mode & 0o022) === 0;
}

/** An account that must not be able to write something. */
export interface Outsider {
  readonly uid: number;
  readonly gid: number;
  readonly gids: readonly number[];
}

/** May this account write the entry, or replace what is in the folder? The owner may always take that right. */
export function mayWrite({ uid, gid, gids }: Outsider, fact: PathFact): boolean {
  if (fact.kind === 'link') return fact.uid === uid;
  if (fact.uid === uid) return true;
  if (fact.kind === 'folder' && (fact.mode & 0o1000) !== 0) return false;
  if ((fact.mode & 0o020) !== 0 && (fact.gid === gid || gids.includes(fact.gid))) return true;
  return (fact.mode & 0o002) !== 0;
}

/** Everything in a folder, itself included; links are named and not followed. */
export function* walk(io: FactsIo, folder: string, skip: ReadonlySet<string>): Generator<PathFact> {
  const fact = io.look(folder);
  if (fact === null) return;
  yield fact;
  if (fact.kind !== 'folder') return;
  for (const name of io.list(folder)) if (!skip.has(name)) yield* walk(io, `${folder}/${name}`, skip);
}
