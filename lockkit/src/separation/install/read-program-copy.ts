// Which files make up the installed program, and whether a client could have written one of them. Called by
// read-install-facts. Sources, tests, headers and build tools stay behind: what is not there cannot be run.
import { join } from 'node:path';
import { UserMistake } from '../../contract/fault.js';
import type { FactsIo } from '../facts-io.js';
import { listPackages, type ProgramPackage } from '../program-packages.js';
import type { ClientFact, PathFact } from '../session-facts.js';
import { lookUpwards, mayWrite, walk } from '../trusted-path.js';
import type { PackageCopy, ProgramCopy } from './install-facts.js';
import { readWriters } from './library-mark.js';
import { WINDOW } from './starter.js';

/** What a package of a clone ships. */
const BUILT = ['package.json', 'LICENSE', 'bin', 'build', 'dist'];
/** Never part of a program. */
const LEFT_BEHIND = new Set(['node_modules', '.git', '.github', 'test', 'tests', 'obj.target', '.deps']);
const NATIVE_SOURCES = new Set(['vendor', 'deps', 'src', 'build', 'binding.gyp']);
const NAMED = 5;

export interface ProgramWish {
  readonly lock: string;
  readonly productFolder: string;
  readonly library: string;
  readonly clients: readonly ClientFact[];
}

export function readProgramCopy(io: FactsIo, wish: ProgramWish): ProgramCopy {
  const packages = listPackages(io, wish.productFolder);
  const product = packages[0] as ProgramPackage;
  const node = io.realPath(io.nodePath) ?? io.nodePath;
  const copies = packages.map((one) => ({
    folder: one.folder,
    place: one.place,
    entries: entriesOf(io, one),
  }));
  const looked = lookAtAll(io, node, copies);
  const writable = looked.flatMap((fact) => {
    const who = strangerOf(io, wish.clients, fact);
    return who === null ? [] : [{ path: fact.path, who }];
  });
  const isInstalled = product.folder.startsWith(`${wish.library}/`);
  const earlier = isInstalled ? readWriters(io, product.folder) : [];
  const before = wish.clients.filter(({ uid }) => earlier.includes(uid));
  return {
    node,
    packages: copies,
    command: `${product.place}/${commandOf(io, product, wish.lock)}`,
    window: windowOf(io, packages),
    isInstalled,
    writable: [
      ...writable,
      ...before.map(({ name }) => ({
        path: `what ${wish.library} was copied from`,
        who: `the client ${name}`,
      })),
    ].slice(0, NAMED),
    writers: [...new Set([...earlier, ...looked.map(({ uid }) => uid)])]
      .filter((uid) => uid !== 0)
      .sort((a, b) => a - b),
  };
}

/** The product's own window comes with the front-end that draws it. */
function windowOf(io: FactsIo, packages: readonly ProgramPackage[]): string | null {
  const owner = packages.find(({ place }) => place.endsWith('/@lockkit/tui'));
  return owner === undefined ? null : `${owner.place}/${commandOf(io, owner, WINDOW)}`;
}

function commandOf(io: FactsIo, { folder }: ProgramPackage, lock: string): string {
  const { bin } = JSON.parse(io.readText(join(folder, 'package.json')) ?? '{}') as {
    readonly bin?: Readonly<Record<string, string>>;
  };
  const command = bin?.[lock];
  if (command !== undefined && /^[A-Za-z0-9._/-]+$/.test(command) && !command.includes('..'))
    return command.replace(/^\.\//, '');
  throw new UserMistake(`the package in ${folder} names no command ${lock}`);
}

function entriesOf(io: FactsIo, { folder, isWorkspace }: ProgramPackage): readonly string[] {
  const names = io.list(folder).filter((name) => !LEFT_BEHIND.has(name));
  if (isWorkspace)
    return names.filter((name) => BUILT.includes(name)).flatMap((name) => builtEntries(io, folder, name));
  if (!names.includes('binding.gyp')) return names;
  return [...names.filter((name) => !NATIVE_SOURCES.has(name)), ...nativeModules(io, folder)];
}

/** The folders of a clone also hold the demo, and what builds and tests made. */
function builtEntries(io: FactsIo, folder: string, name: string): readonly string[] {
  if (name !== 'dist' && name !== 'build') return [name];
  return io
    .list(join(folder, name))
    .filter(
      (entry) =>
        !LEFT_BEHIND.has(entry) && !/^demo(\.|$)/.test(entry) && !/\.(stamp|sha256|tsbuildinfo)$/.test(entry),
    )
    .map((entry) => `${name}/${entry}`);
}

function nativeModules(io: FactsIo, folder: string): readonly string[] {
  return io
    .list(join(folder, 'build/Release'))
    .filter((name) => name.endsWith('.node'))
    .map((name) => `build/Release/${name}`);
}

function lookAtAll(io: FactsIo, node: string, packages: readonly PackageCopy[]): readonly PathFact[] {
  const looked = new Map<string, PathFact>();
  for (const path of [node, ...packages.map(({ folder }) => folder)])
    for (const fact of lookUpwards(io, path)) looked.set(fact.path, fact);
  for (const { folder, entries } of packages)
    for (const entry of entries)
      for (const fact of walk(io, join(folder, entry), LEFT_BEHIND)) looked.set(fact.path, fact);
  return [...looked.values()];
}

/** Who beside root and the owner could write it: a client by name, or everybody that a group or the mode lets in. */
function strangerOf(io: FactsIo, clients: readonly ClientFact[], fact: PathFact): string | null {
  const client = clients.find((one) => one.uid !== 0 && mayWrite(one, fact));
  if (client !== undefined) return `the client ${client.name}`;
  const sticky = fact.kind === 'folder' && (fact.mode & 0o1000) !== 0;
  if (fact.kind === 'link' || sticky) return null;
  if ((fact.mode & 0o002) !== 0) return 'every account';
  const groupIsOwners = fact.gid === 0 || io.accountByUid(fact.uid)?.gid === fact.gid;
  return (fact.mode & 0o020) !== 0 && !groupIsOwners ? `the group ${String(fact.gid)}` : null;
}
