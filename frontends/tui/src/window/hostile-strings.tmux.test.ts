// Prompt safety, measured: 1,000 hostile strings in every field of a screen, drawn by the window in a real terminal and
// compared cell by cell with the rows of the reference renderer.
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argvText, layOutScreen, maskedText, untrusted, visibleText, type Screen } from 'lockkit/approval';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleScript } from 'lockkit/bundle-script';
import { hostileStrings } from '../test/hostile-strings.js';
import { openPane, type Pane } from '../test/pane.js';

const STRINGS = 1000;
/** So many strings stand on one screen, each in every field. */
const TOGETHER = 5;
const [COLUMNS, ROWS] = [120, 240];

let pane: Pane;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lock-draw-'));
  const script = await bundleScript(join(import.meta.dirname, 'test/draw-script.ts'));
  pane = openPane(`sh -c 'node ${script} ${folder}; exec cat'`, { columns: COLUMNS, rows: ROWS });
});

afterAll(() => {
  pane.kill();
  rmSync(folder, { recursive: true, force: true });
});

/** Every field that can hold something from outside, for each of the strings. */
function screenOf(texts: readonly string[]): Screen {
  return {
    title: texts.map((text) => untrusted(text)),
    origin: texts.map((text) => ['agent: ', untrusted(text)]),
    sections: texts.flatMap((text) => [
      {
        kind: 'facts' as const,
        facts: [
          { label: 'value', value: [untrusted(text)] },
          { label: 'argv', value: [argvText([text, 'x', text])] },
          { label: 'masked', value: [maskedText(text)] },
        ],
      },
      {
        kind: 'lines' as const,
        lines: [
          [untrusted(text), ' · ', untrusted(text)],
          { kind: 'danger' as const, line: [untrusted(text)] },
        ],
      },
      { kind: 'text' as const, text: untrusted(text) },
      { kind: 'text' as const, text: maskedText(text) },
    ]),
    warnings: texts.map((text) => [untrusted(text)]),
    question: { kind: 'typed', prompt: texts.map((text) => untrusted(text)), expected: 'x' },
  };
}

async function drawn(number: number, screen: Screen, note: string): Promise<readonly string[]> {
  writeFileSync(join(folder, 'next'), JSON.stringify({ screen, note }));
  renameSync(join(folder, 'next'), join(folder, `${number}.json`));
  await expect
    .poll(() => existsSync(join(folder, `${number}.done`)), { timeout: 30_000, interval: 3 })
    .toBe(true);
  return pane.text().replace(/\n$/, '').split('\n');
}

let next = 0;

/** Draws the screen; fails where a cell differs from the reference, or where anything reached another row. */
async function compare(screen: Screen, note: string, what: string): Promise<void> {
  const reference = layOutScreen(screen, { columns: COLUMNS - 1, colour: false }).rows;
  const shown = await drawn(next++, screen, note);
  // Heading, the list's heading and its one row stand before the screen; news, message and answer line behind it.
  expect(reference.length, 'the pane must be tall enough').toBeLessThan(ROWS - 12);
  const inWindow = shown.slice(3, 3 + reference.length);
  expect(inWindow, what).toEqual(reference.map((row) => row.trimEnd()));
  expect(
    shown
      .slice(3 + reference.length, -4)
      .join('')
      .trim(),
    what,
  ).toBe('');
  expect(shown.at(-4), what).toBe('── last ──');
  expect(shown.at(-1), what).toMatch(/ > typed$/);
}

test(`${STRINGS} hostile strings in every field look as the reference renderer lays them out`, async () => {
  const strings = hostileStrings(STRINGS);
  expect(strings.length).toBe(STRINGS);
  for (let i = 0; i < strings.length; i += TOGETHER) {
    const texts = strings.slice(i, i + TOGETHER);
    await compare(screenOf(texts), texts[0] ?? '', JSON.stringify(texts));
  }
}, 300_000);

test('every character that is shown as it is takes its place in the terminal', async () => {
  const characters = clearCharacters();
  for (let i = 0; i < characters.length; i += 7500) {
    const text = untrusted(characters.slice(i, i + 7500).join(' '));
    const screen: Screen = { title: ['x'], origin: [], sections: [{ kind: 'text', text }], warnings: [] };
    await compare(screen, 'x', `from ${characters[i]?.codePointAt(0)?.toString(16)}`);
  }
}, 300_000);

/** All that visible text leaves alone: a mark stands behind a letter. */
function clearCharacters(): readonly string[] {
  const all: string[] = [];
  for (let code = 0xa1; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const character = String.fromCodePoint(code);
    const shown = /\p{M}/u.test(character) ? `a${character}` : character;
    if (visibleText(shown) === shown) all.push(shown);
  }
  return all;
}
