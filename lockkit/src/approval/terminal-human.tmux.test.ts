import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bundleScript } from '../test/bundle-script.js';
import { openPane, type Pane } from './test/tmux.js';

let script: string;
let pane: Pane;
let file: string;

beforeAll(async () => {
  script = await bundleScript(join(import.meta.dirname, 'test/terminal-script.ts'));
});

beforeEach(async () => {
  file = join(mkdtempSync(join(tmpdir(), 'lock-answers-')), 'answers');
  pane = openPane(`sh -c 'node ${script} ${file}; echo "over $?"; stty -a; exec cat'`);
  await pane.shows('ready');
});

afterEach(() => pane.kill());

function answers(): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

async function answered(expected: string): Promise<void> {
  await expect.poll(answers, { timeout: 20_000 }).toBe(expected);
}

/** The prompt is up and its guard is over: the time is the product's own, read from what it shows. */
async function promptIsOpen(): Promise<void> {
  await pane.shows('Approve? [y/N]');
  await new Promise((resolve) => setTimeout(resolve, 1100));
}

async function review(): Promise<void> {
  pane.keys(':review', 'Enter');
  await promptIsOpen();
}

describe('openTerminalHuman on a real terminal', () => {
  test('shows the box, takes y and Enter, and gives the terminal back on :quit', async () => {
    await review();
    expect(pane.text()).toContain(
      "│ agent: \\x1b[2Jcheck \\u{2502} it\n│\n│ argv   df -h ''\n╰─ Approve? [y/N]",
    );
    pane.keys('y', 'Enter');
    await answered('yes\n');
    pane.keys(':quit', 'Enter');
    await pane.shows('over 0');
    await pane.shows(/ icanon [^]* echo /);
  });

  test('drops a y that was typed before the question', async () => {
    pane.keys(':status', 'Enter');
    await pane.shows('a question comes');
    pane.keys('y', 'Enter');
    await promptIsOpen();
    expect(answers()).toBe('');
    pane.keys('n', 'Enter');
    await answered('no\n');
  });

  test('does not take a paste for an answer', async () => {
    await review();
    pane.paste('y\n');
    pane.keys('Enter');
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect(answers()).toBe('');
    pane.keys('n', 'Enter');
    await answered('no\n');
  });

  test('edits a line, and takes Enter alone as no', async () => {
    await review();
    pane.keys('y', 'é', 'BSpace', 'BSpace', 'Enter');
    await answered('no\n');
  });

  test('shows nothing of a secret', async () => {
    pane.keys(':unmask', 'Enter');
    await pane.shows('Passphrase:');
    await new Promise((resolve) => setTimeout(resolve, 1100));
    pane.paste('correct horse');
    pane.keys('x', 'Enter');
    await answered('correct horsex\n');
    expect(pane.text()).not.toContain('horse');
  });

  test('gives the terminal back after Ctrl-C and after a bug', async () => {
    pane.keys(':reopen', 'Enter');
    await pane.shows('over 1');
    await pane.shows(/ icanon [^]* echo /);
  });

  test('gives the terminal back after Ctrl-C while a question waits', async () => {
    await review();
    pane.keys('C-c');
    await answered('withdrawn\n');
    await pane.shows('over 0');
    await pane.shows(/ icanon [^]* echo /);
  });
});
