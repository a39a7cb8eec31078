// Capabilities by file (ARCHITECTURE.md, "Who may import whom", 4): capabilities.json names the only files that may
// hold each power. A file that gains or loses one is named there in the same commit, so that a review sees it.
import { expect, test } from 'vitest';
import { MODULES, powersOf } from './powers.js';
import { importsOf, listSources, readSource } from './source-files.js';

function tableOfPowers(): string {
  const table: Record<string, string[]> = {};
  for (const power of [...Object.keys(MODULES), 'writes'])
    table[power] = listSources().filter((path) => powersOf(path).includes(power));
  return `${JSON.stringify(table, null, 2)}\n`;
}

// `npx vitest run test/capabilities -u` writes the table anew; the difference is for the reviewer.
test('capabilities.json names exactly the files that hold each power', async () => {
  await expect(tableOfPowers()).toMatchFileSnapshot('./capabilities.json');
});

test('no power is without a holder: the table looks where they are', () => {
  const table = JSON.parse(tableOfPowers()) as Readonly<Record<string, readonly string[]>>;
  expect(
    Object.entries(table)
      .filter(([, holders]) => holders.length === 0)
      .map(([power]) => power),
  ).toEqual([]);
});

test('nothing imports a file system or a process by another name', () => {
  const bad = listSources().filter((path) =>
    importsOf(readSource(path)).some(({ specifier }) =>
      /^(fs|net|child_process|http|https|module)(\/|$)/.test(specifier),
    ),
  );
  expect(bad).toEqual([]);
});
