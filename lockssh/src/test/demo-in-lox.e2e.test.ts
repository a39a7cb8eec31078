// `npm start` for a person at a terminal: lox, its window, the demo's console as its child, told to its end and with an
// intact audit log. What the person types is typed into a real terminal.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { requireReal } from './real-parts.js';

const isReal = requireReal(['sshd', 'ssh-keygen', 'tmux']);
const demo = resolve(dirname(fileURLToPath(import.meta.url)), '../../dist/demo/main.js');

describe.skipIf(!isReal)('the demo in lox', () => {
  let folder: string;
  const tmux = (...args: readonly string[]): string =>
    execFileSync('tmux', ['-u', '-S', join(folder, 'tmux'), '-f', '/dev/null', ...args], {
      encoding: 'utf8',
    });
  const screen = (): string => tmux('capture-pane', '-p', '-S', '-200');

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lockssh-demo-test-'));
  });

  afterEach(() => {
    spawnSync('tmux', ['-S', join(folder, 'tmux'), 'kill-server']);
    rmSync(folder, { recursive: true, force: true });
  });

  async function shows(expected: RegExp): Promise<string> {
    const endAtMs = Date.now() + 60_000;
    while (Date.now() < endAtMs) {
      const found = expected.exec(screen());
      if (found !== null) return found[0];
      await new Promise((done) => setTimeout(done, 100));
    }
    throw new Error(`never shown: ${String(expected)}\n${screen()}`);
  }

  /** Types the line until what it answers is gone; what comes too early is thrown away by the window. */
  async function answer(title: string, line: string): Promise<void> {
    await shows(new RegExp(`╭─ ${title}`));
    for (let tries = 0; tries < 20 && screen().includes(`╭─ ${title}`); tries++) {
      if (/more rows below/.test(screen())) tmux('send-keys', 'PageDown');
      await new Promise((done) => setTimeout(done, 1300));
      if (/more rows below/.test(screen())) continue;
      tmux('send-keys', '-l', line);
      tmux('send-keys', 'Enter');
      await new Promise((done) => setTimeout(done, 700));
    }
    expect(screen()).not.toContain(`╭─ ${title}`);
  }

  function start(): void {
    const command = `'${process.execPath}' '${demo}'; echo "demo over $?"; exec cat`;
    tmux('new-session', '-d', '-x', '110', '-y', '60', command);
  }

  async function approveStart(): Promise<void> {
    await answer('DEMO · policy · first start', 'y');
    if ((await shows(/this login is root|open the SSH session/)) === 'this login is root')
      await answer('DEMO · this login is root', 'continue');
  }

  /** The log is printed where the window was; its beginning is no longer on the screen. */
  async function isOver(): Promise<string> {
    await shows(/intact: \d+ records/);
    await shows(/demo over 0/);
    return screen();
  }

  test('is told to its end', async () => {
    start();
    await approveStart();
    await answer('DEMO · open the SSH session ─', 'y');
    await shows(/Type :review and Enter/);
    tmux('send-keys', ':review', 'Enter');
    await answer('DEMO · policy · review', 'y');
    await answer('DEMO · open the SSH session and a command outside the rules', 'y');
    await isOver();
  }, 300_000);

  test('the first ticket is denied, the next approved: each is told, and it goes on', async () => {
    start();
    await approveStart();
    await answer('DEMO · open the SSH session ─', 'n not now');
    await shows(/You said no: nothing ran/);
    await answer('DEMO · open the SSH session ─', 'y');
    await shows(/Type :review and Enter/);
    tmux('send-keys', ':review', 'Enter');
    await answer('DEMO · policy · review', 'n');
    const log = await isOver();
    expect(log.match(/ticket\.denied/g)).toHaveLength(1);
    expect(log.match(/ticket\.approved/g)).toHaveLength(1);
    expect(log).toMatch(/policy\.refused/);
  }, 300_000);

  test('a policy that is not approved ends it, politely', async () => {
    start();
    await answer('DEMO · policy · first start', 'n');
    expect(await isOver()).toMatch(/You said no while the console started/);
  }, 300_000);

  test.each(['y', 'n'])('as text, with --answer %s: through the hub, to its end', (typed) => {
    const { status, stdout } = spawnSync(process.execPath, [demo, '--answer', typed], { encoding: 'utf8' });
    expect(status).toBe(0);
    expect(stdout).toMatch(typed === 'y' ? /E_UNKNOWN_TICKET/ : /E_DENIED/);
    expect(stdout).toMatch(/ hub\.open [^]*intact: \d+ records/);
    expect(stdout.includes('effect.start')).toBe(typed === 'y');
  });
});
