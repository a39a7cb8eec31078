import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { bundleScript } from 'lockkit/bundle-script';
import { openPane, type Pane, type PaneOptions } from '../test/pane.js';

let script: string;
let pane: Pane | undefined;
let folder: string;

beforeAll(async () => {
  script = await bundleScript(join(import.meta.dirname, 'test/window-script.ts'));
});

afterEach(() => {
  pane?.kill();
  pane = undefined;
  rmSync(folder, { recursive: true, force: true });
});

async function open(options: PaneOptions = {}): Promise<Pane> {
  folder = mkdtempSync(join(tmpdir(), 'lock-window-'));
  const command = `sh -c 'echo before; node ${script} ${folder}/answers; echo "over $?"; stty -a; exec cat'`;
  pane = openPane(command, options);
  await pane.shows('ready');
  return pane;
}

function answers(): string {
  return existsSync(`${folder}/answers`) ? readFileSync(`${folder}/answers`, 'utf8') : '';
}

const answered = (expected: string): Promise<void> =>
  expect.poll(answers, { timeout: 30_000 }).toBe(expected);

/** Types a line until the window takes it: what is typed within the guard is thrown away, and said so. */
async function type(line: string, taken: () => boolean): Promise<void> {
  const endAtMs = Date.now() + 30_000;
  while (!taken()) {
    if (Date.now() > endAtMs) throw new Error(`never taken: ${line}\n${pane?.text()}`);
    pane?.keys('-l', line);
    pane?.keys('Enter');
    await new Promise((resolve) => setTimeout(resolve, 1300));
  }
}

async function review(): Promise<Pane> {
  const opened = await open();
  opened.keys(':review', 'Enter');
  await opened.shows('Approve? [y/N]');
  return opened;
}

const terminalIsBack = async (): Promise<void> => {
  await pane?.shows(/before[^]* icanon [^]* echo /);
};

describe('openWindowHuman on a real terminal', () => {
  test('shows state, list and screen; takes y and Enter; gives the terminal back on :quit', async () => {
    const { text, keys, shows } = await review();
    expect(text()).toMatch(
      /^test · 1 waiting · web · ready · idle ends 19m · session ends 3h59m · level 3\n/,
    );
    expect(text()).toMatch(/\n▸ +\d+s {2}write {6} exec {4} t_0123456789ABCDEF {2}web · run\n/);
    expect(text()).toContain(
      "\n╭─ web · run ─────\n│ agent: \\x1b[2Jcheck \\u{2502} it\n│\n│ argv   df -h ''\n╰─ Approve? [y/N]\n",
    );
    await type('y', () => answers() !== '');
    await answered('yes\n');
    keys(':quit', 'Enter');
    await shows('over 0');
    await terminalIsBack();
  });

  test('drops a y that was typed before the question', async () => {
    const { keys, shows } = await open();
    keys(':status', 'Enter');
    await shows('a question comes');
    keys('y');
    await shows('Approve? [y/N]');
    keys('y', 'Enter');
    await type('n', () => answers() !== '');
    await answered('no\n');
  });

  test('does not take a paste for an answer', async () => {
    const { paste, shows } = await review();
    paste('y\n');
    await type('?', () => pane?.text().includes('what you can type') ?? false);
    await shows('what you can type');
    expect(answers()).toBe('');
  });

  test('shows nothing of a secret', async () => {
    const { keys, shows, text } = await open();
    keys(':unmask', 'Enter');
    await shows('Passphrase:');
    await type('correct horse', () => {
      expect(text()).not.toContain('horse');
      return answers() !== '';
    });
    await answered('correct horse\n');
  });

  test('takes the typed name and nothing else on a typed question', async () => {
    const { keys, shows } = await open();
    keys(':results', 'Enter');
    await shows('type the name');
    await type('y', () => answers() !== '');
    await answered('no\n');
    keys(':results', 'Enter');
    await shows('type the name');
    await type('web', () => answers() !== 'no\n');
    await answered('no\nyes\n');
  });

  test.each([
    ['a bug', ':reopen', 'over 1'],
    ['Ctrl-C', null, 'over 0'],
  ])('gives the terminal back after %s', async (_name, command, ending) => {
    const { keys, shows } = await open();
    if (command === null) keys('C-c');
    else keys(command, 'Enter');
    await shows(ending);
    await terminalIsBack();
  });

  test('draws itself anew at another size, and takes no answer where a question cannot be read', async () => {
    const { resize, shows } = await review();
    resize(100, 40);
    await shows(/\n▸ +\d+s {2}write[^]*Approve\? \[y\/N\][^]*── last ──/);
    resize(60, 12);
    await shows(/waiting[^\n]*\n╭─ web/);
    resize(30, 8);
    await shows('too small: at least');
    pane?.keys('y', 'Enter');
    resize(80, 24);
    await shows('Approve? [y/N]');
    expect(answers()).toBe('');
  });

  test.each([
    ['NO_COLOR', { env: { NO_COLOR: '1' } }],
    ['a terminal of 1978', { term: 'vt100', env: { NO_COLOR: '1' } }],
  ])('uses no colour under %s', async (_name, options) => {
    const { styled, shows, keys } = await open(options);
    keys(':review', 'Enter');
    await shows('Approve? [y/N]');
    // eslint-disable-next-line no-control-regex
    expect(styled()).not.toMatch(/\u001b\[[0-9;]*(3[0-7]|4[0-7]|9[0-7])m/);
  });

  /** Each with an approval inside, typed at the moment the question comes up and again behind it. */
  test.each([
    ['typed ahead', 'y\r', ''],
    ['typed ahead, many times', 'y\ry\ry\ry\ry\r', ''],
    ['pasted by the terminal', '\u001b[200~y\r\u001b[201~', ''],
    ['pasted, and ended by a stray Enter', '\u001b[200~y', '\u001b[201~\r'],
    ['a cursor report', '\u001b[24;80Ry\r', ''],
    ['a clipboard reply', '\u001b]52;c;eQ0=\u0007', 'y\r\u001b[I'],
    ['a status string', '\u001bP1$ry\r\u001b\\\\', ''],
    ['a title report', '\u001b]ly\r\u001b\\\\', ''],
    ['a reply that begins behind Enter', '', 'y\r\u001b[24;'],
    ['a mouse', '\u001b[M !!y', '\r\u001b[<0;1;1M'],
  ])('takes no answer from bytes of the terminal: %s', async (_name, before, behind) => {
    const { keys, shows, bytes } = await open();
    keys(':status', 'Enter');
    await shows('a question comes');
    bytes(before);
    await shows('Approve? [y/N]');
    bytes(before);
    bytes(behind);
    // Another question behind it would show that this one was answered; only a denial gets there.
    await type('n', () => answers() !== '');
    await answered('no\n');
  });
});
