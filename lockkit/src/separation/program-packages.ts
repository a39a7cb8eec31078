// Which packages a product is made of: it and everything that it needs at run time, each found the way Node finds it.
// Called by install, which copies them, and by the console's start, which checks that nobody else can change them.
import { dirname, join } from 'node:path';
import { UserMistake } from '../contract/fault.js';
import type { FactsIo } from './facts-io.js';

export interface ProgramPackage {
  readonly name: string;
  /** Real, absolute. */
  readonly folder: string;
  /** Where it stands in a copy: `node_modules/@lockkit/lockssh/node_modules/x`. */
  readonly place: string;
  /** A package of a clone: only what was built of it belongs to the program. */
  readonly isWorkspace: boolean;
}

/** Needed to build native parts, never to run them. */
const BUILD_ONLY: ReadonlySet<string> = new Set([
  'nan',
  'node-gyp',
  'node-addon-api',
  'install-artifact-from-github',
  'buildcheck',
]);

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** The product first. Throws UserMistake when a package that it needs is not there. */
export function listPackages(io: FactsIo, productFolder: string): readonly ProgramPackage[] {
  const found = new Map<string, ProgramPackage>();
  const root = io.realPath(productFolder);
  if (root === null) throw new UserMistake('the program’s own folder cannot be read');
  const queue = [packageAt(root, `node_modules/${manifestOf(io, root).name}`, manifestOf(io, root).name)];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const known = found.get(next.place);
    if (known?.folder === next.folder) continue;
    if (known !== undefined)
      throw new UserMistake(`two packages named ${next.name} stand in each other’s way`);
    found.set(next.place, next);
    const { dependencies = {}, optionalDependencies = {} } = manifestOf(io, next.folder);
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      if (BUILD_ONLY.has(name)) continue;
      const dependency = findPackage(io, name, next, found);
      if (dependency !== null) queue.push(dependency);
      else if (!Object.hasOwn(optionalDependencies, name))
        throw new UserMistake(
          `the package ${name} is missing: run \`npm run build\`, or install the package anew`,
        );
    }
  }
  return [...found.values()];
}

function packageAt(folder: string, place: string, name: string): ProgramPackage {
  return { name, folder, place, isWorkspace: !folder.includes('/node_modules/') };
}

function manifestOf(io: FactsIo, folder: string): Manifest {
  const text = io.readText(join(folder, 'package.json'));
  try {
    const manifest = JSON.parse(text ?? '') as Manifest;
    if (/^(@[a-z0-9][a-z0-9._-]*\/)?[A-Za-z0-9][A-Za-z0-9._-]*$/.test(manifest.name)) return manifest;
  } catch {
    // Said below, in the same words.
  }
  throw new UserMistake(`${folder} holds no package that can be read`);
}

/** Node's own search: node_modules beside every folder above the one that asks. */
function findPackage(
  io: FactsIo,
  name: string,
  from: ProgramPackage,
  placed: ReadonlyMap<string, ProgramPackage>,
): ProgramPackage | null {
  for (let above = from.folder; ; above = dirname(above)) {
    const folder = io.realPath(join(above, 'node_modules', name));
    if (folder !== null && io.look(join(folder, 'package.json')) !== null) {
      const owner = [...placed.values()].find((one) => one.folder === above);
      const beside = owner === undefined ? '' : `${owner.place}/`;
      return packageAt(folder, `${beside}node_modules/${name}`, name);
    }
    if (above === '/') return null;
  }
}
