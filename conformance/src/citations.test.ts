// The kinds told in words cannot be run by a kit: they pass only through a scenario test whose title cites the id.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadKinds } from './areas.js';
import { readCaseFiles } from './case-files.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const SKIPPED = new Set(['node_modules', 'dist', '.git']);

/** Every test file of the repository, this folder's runner tests aside (their ids are samples). */
function testFiles(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : testFiles(path);
    return entry.name.endsWith('.test.ts') ? [path] : [];
  });
}

/** Ids that stand in a string of a line that is no comment. */
function citedIn(path: string): readonly string[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines
    .filter((line) => !/^\s*(\/\/|\*|\/\*)/.test(line) && /['"`]/.test(line))
    .flatMap((line) => line.match(/\bA\d-\d{3}\b/g) ?? []);
}

test('cases told in words: a scenario test cites every id', async () => {
  const { kinds } = await loadKinds();
  const { cases } = readCaseFiles([join(root, 'conformance/cases')]);
  const runner = fileURLToPath(new URL('.', import.meta.url));
  const files = testFiles(root).filter((path) => join(path, '..', '/') !== runner);
  const cited = new Set(files.flatMap(citedIn));
  const uncited = cases.filter(({ id, kind }) => !kinds.has(kind) && !cited.has(id)).map(({ id }) => id);
  expect(uncited).toEqual([]);
});
