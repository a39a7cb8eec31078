// What would run in a console and who else could change it: Node itself, every package, every folder above them.
// Called by read-session-facts and doctor. It only looks; the verdict is check-start's.
import { dirname } from 'node:path';
import type { FactsIo } from './facts-io.js';
import { readWriters } from './install/library-mark.js';
import { listPackages } from './program-packages.js';
import type { PathFact, ProgramFact } from './session-facts.js';
import { isRootOnly, lookUpwards, walk } from './trusted-path.js';

const NAMED = 5;
const NESTED = new Set(['node_modules']);

export function readProgram(io: FactsIo, productFolder: string): ProgramFact {
  const node = io.realPath(io.nodePath) ?? io.nodePath;
  const packages = listPackages(io, productFolder);
  const above = new Map(
    [node, ...packages.map(({ folder }) => dirname(folder))]
      .flatMap((path) => lookUpwards(io, path))
      .map((fact) => [fact.path, fact]),
  );
  const unsafe: PathFact[] = [...above.values()].filter((fact) => !isRootOnly(fact));
  for (const { folder } of packages)
    for (const fact of walk(io, folder, NESTED)) if (!isRootOnly(fact)) unsafe.push(fact);
  const writers = readWriters(io, packages[0]?.folder ?? '');
  return { node, unsafe: unsafe.slice(0, NAMED), unsafeCount: unsafe.length, writers };
}
