// A machine in memory for tests of facts: files with owners and modes, accounts, groups. Nothing of the real one is read.
import { dirname, join } from 'node:path';
import type { Account } from '../../native/kernel.js';
import type { FactsIo } from '../facts-io.js';
import type { PathFact } from '../session-facts.js';

export interface MemoryEntry {
  readonly text?: string;
  readonly link?: string;
  readonly uid?: number;
  readonly gid?: number;
  readonly mode?: number;
}

export interface MemoryMachine {
  /** Folders above an entry are there by themselves, root's, 0755. A path that ends in / is a folder. */
  readonly files?: Readonly<Record<string, MemoryEntry | string>>;
  readonly accounts?: readonly Account[];
  readonly groups?: Readonly<Record<string, number>>;
  readonly uid?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly sudoers?: readonly string[];
}

interface Node extends MemoryEntry {
  readonly kind: PathFact['kind'];
}

function nodesOf(files: NonNullable<MemoryMachine['files']>): ReadonlyMap<string, Node> {
  const nodes = new Map<string, Node>([['/', { kind: 'folder' }]]);
  for (const [name, value] of Object.entries(files)) {
    const entry = typeof value === 'string' ? { text: value } : value;
    const path = name.length > 1 && name.endsWith('/') ? name.slice(0, -1) : name;
    for (let above = dirname(path); !nodes.has(above); above = dirname(above))
      nodes.set(above, { kind: 'folder' });
    const kind = entry.link !== undefined ? 'link' : name.endsWith('/') ? 'folder' : 'file';
    nodes.set(path, { ...entry, kind });
  }
  return nodes;
}

export function openMemoryIo(machine: MemoryMachine): FactsIo {
  const { accounts = [], groups = {}, uid = 0, env = {}, sudoers = [] } = machine;
  const nodes = nodesOf(machine.files ?? {});
  const realPath = (path: string): string | null => {
    let at = '/';
    for (const part of path.split('/').filter((name) => name !== '')) {
      const next = join(at, part);
      const node = nodes.get(next);
      if (node === undefined) return null;
      if (node.link === undefined) at = next;
      else {
        const real = realPath(node.link.startsWith('/') ? node.link : join(at, node.link));
        if (real === null) return null;
        at = real;
      }
    }
    return at;
  };
  const find = (path: string): readonly [string, Node] | null => {
    const parent = realPath(dirname(path));
    const own = parent === null ? path : path === '/' ? '/' : join(parent, path.split('/').pop() as string);
    const node = nodes.get(own);
    return node === undefined ? null : [own, node];
  };
  return {
    uid,
    env,
    nodePath: '/usr/bin/node',
    readText: (path) => nodes.get(realPath(path) ?? '')?.text ?? null,
    look: (path) => {
      const found = find(path);
      if (found === null) return null;
      const [, { kind, uid: owner = 0, gid = 0, mode }] = found;
      return { path, kind, uid: owner, gid, mode: mode ?? (kind === 'file' ? 0o644 : 0o755) };
    },
    list: (path) => {
      const folder = realPath(path);
      return [...nodes.keys()]
        .filter((one) => one !== '/' && dirname(one) === folder)
        .map((one) => one.split('/').pop() as string)
        .sort();
    },
    realPath,
    readLink: (path) => find(path)?.[1].link ?? null,
    terminals: () => [],
    accountByUid: (wanted) => accounts.find((one) => one.uid === wanted) ?? null,
    accountByName: (name) => accounts.find((one) => one.name === name) ?? null,
    groupByName: (name) => groups[name] ?? null,
    groupMembers: (_group, gid) =>
      accounts.filter((one) => one.gid === gid || one.gids.includes(gid)).map(({ name }) => name),
    maySudo: (name) => sudoers.includes(name),
    tryRead: () => null,
  };
}

export function account(name: string, uid: number, gids: readonly number[] = []): Account {
  return { name, uid, gid: uid, gids: [uid, ...gids], home: `/home/${name}` };
}
