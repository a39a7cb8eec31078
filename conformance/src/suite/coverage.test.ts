// Pages, requirements, cases and tests are held against each other: what is not proved by anything, and what proves
// nothing, fails the build. A sentence that changes on a page must be looked at here.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readCaseFiles } from '../case-files.js';
import type { Json } from '../kind.js';
import { piecesOf, plainText } from './page-pieces.js';
import { readSuite, SUITES } from './read-suite.js';
import { readRequirements } from './requirement.js';
import { isObject, OPERATOR_NAMES } from './shape.js';
import { packageFolder } from './test/python-lock.js';

const root = join(packageFolder, '..');
const pages = readRequirements(join(packageFolder, 'requirements'));
const requirements = pages.flatMap((page) => page.requirements);
const cases = SUITES.flatMap((suite) => readSuite(join(packageFolder, 'suites'), suite));
const textOf = (page: string): string => readFileSync(join(root, page), 'utf8');

describe.each(pages)('requirements of $page', ({ page, covers, requirements: mine, prose }) => {
  const plain = plainText(textOf(page).replace(/^#+ .*$/gm, ''));
  const pieces = piecesOf(textOf(page), page.endsWith('.md'));
  const spoken = [...mine.flatMap(({ quotes }) => quotes), ...prose];

  test('every quote stands on the page', () => {
    const flat = pieces.join('\n');
    expect(spoken.filter((quote) => !flat.includes(quote) && !plain.includes(quote))).toEqual([]);
  });

  test.skipIf(covers === 'some')(
    'every sentence of the page has a requirement, or is told to require nothing',
    () => {
      const silent = pieces.filter(
        (piece) => !spoken.some((quote) => piece.includes(quote) || quote.includes(piece)),
      );
      expect(silent).toEqual([]);
    },
  );
});

test('requirements: every id stands once, and the frozen set of the release is complete', () => {
  const ids = requirements.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const { release, ids: frozen } = JSON.parse(
    readFileSync(join(packageFolder, 'requirements/frozen/0.1.json'), 'utf8'),
  ) as { readonly release: string; readonly ids: readonly string[] };
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  expect(frozen.filter((id) => !ids.includes(id))).toEqual([]);
  // A requirement that is new belongs to the next release's set.
  if (version.startsWith(`${release}.`)) expect(ids.filter((id) => !frozen.includes(id))).toEqual([]);
});

test('requirements: what the suites prove is cited by a case', () => {
  const cited = new Set(cases.flatMap((item) => item.requirements));
  const uncited = requirements.filter(({ id, proof }) => proof === 'suite' && !cited.has(id));
  expect(uncited.map(({ id }) => id)).toEqual([]);
});

test('cases: every requirement that a case cites is one that the suites prove', () => {
  const provable = new Set(requirements.filter(({ proof }) => proof === 'suite').map(({ id }) => id));
  const wrong = cases.flatMap(({ id, requirements: cited }) =>
    cited.filter((one) => !provable.has(one)).map((one) => `${id}: ${one}`),
  );
  expect(wrong).toEqual([]);
});

test('requirements: the tests and field cases that prove the others are there', () => {
  const known = new Set(readCaseFiles([join(packageFolder, 'cases')]).cases.map(({ id }) => id));
  const missing = requirements.flatMap(({ id, proof }) => {
    if (typeof proof === 'string' || 'inside' in proof) return [];
    if ('tests' in proof)
      return proof.tests.filter((path) => !existsSync(join(root, path))).map((path) => `${id}: ${path}`);
    return proof.cases.filter((one) => !known.has(one)).map((one) => `${id}: ${one}`);
  });
  expect(missing).toEqual([]);
});

/** Every shape in a case, as the values of members that hold one. */
function* values(value: Json): Generator<Json> {
  yield value;
  for (const item of Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [])
    yield* values(item);
}

test('cases: every operator is known and every pattern compiles', () => {
  const all = cases.flatMap(({ id, steps }) =>
    [...values(steps as unknown as Json)].map((value) => ({ id, value })),
  );
  const wrong = all.filter(({ value }) => {
    if (!isObject(value)) return false;
    const { $pattern: pattern } = value;
    if (typeof pattern === 'string')
      expect(() => new RegExp(pattern.replaceAll('{lock}', 'lock'), 'u')).not.toThrow();
    return Object.keys(value).some((key) => key.startsWith('$') && !OPERATOR_NAMES.includes(key));
  });
  expect(wrong).toEqual([]);
});

test('cases: ids and titles stand once in a suite, an attack has a name', () => {
  for (const suite of SUITES) {
    const mine = readSuite(join(packageFolder, 'suites'), suite);
    expect(new Set(mine.map(({ title }) => title)).size).toBe(mine.length);
  }
  expect(cases.filter(({ attack }) => attack !== undefined).length).toBeGreaterThan(60);
});
