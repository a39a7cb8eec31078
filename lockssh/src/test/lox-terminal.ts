// The terminal in which a test sits at lox: a tmux server of its own, typed into as a person would.
import { execFileSync } from 'node:child_process';
import { expect } from 'vitest';

export interface LoxTerminal {
  readonly tmux: (...args: readonly string[]) => string;
  readonly screen: () => string;
  readonly shows: (expected: string | RegExp) => Promise<void>;
  /** Types a line until it was taken: within a guard it is thrown away, and the window says so. */
  readonly type: (line: string, taken: () => boolean | Promise<boolean>) => Promise<void>;
  /** Reads the screen of this title to its end, and approves it. */
  readonly approveShown: (title: string) => Promise<void>;
}

export function openLoxTerminal(
  socket: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): LoxTerminal {
  const tmux = (...args: readonly string[]): string =>
    execFileSync('tmux', ['-u', '-S', socket, '-f', '/dev/null', ...args], { encoding: 'utf8', env, cwd });
  const screen = (): string => tmux('capture-pane', '-p');

  async function shows(expected: string | RegExp): Promise<void> {
    const matches = (): boolean => {
      const text = screen();
      return typeof expected === 'string' ? text.includes(expected) : expected.test(text);
    };
    await expect
      .poll(matches, { timeout: 40_000, interval: 100, message: `${String(expected)}` })
      .toBe(true)
      .catch((error: unknown) => {
        throw new Error(`never shown: ${String(expected)}\n${screen()}`, { cause: error });
      });
  }

  async function type(line: string, taken: () => boolean | Promise<boolean>): Promise<void> {
    for (let tries = 0; tries < 20; tries++) {
      tmux('send-keys', '-l', line);
      tmux('send-keys', 'Enter');
      const endAtMs = Date.now() + 2500;
      while (Date.now() < endAtMs) {
        if (await taken()) return;
        await new Promise((done) => setTimeout(done, 100));
      }
    }
    throw new Error(`never taken: ${line}\n${screen()}`);
  }

  async function approveShown(title: string): Promise<void> {
    await shows(title);
    for (let pages = 0; pages < 5 && /more rows below/.test(screen()); pages++) {
      tmux('send-keys', 'PageDown');
      await new Promise((done) => setTimeout(done, 500));
    }
    await type('y', () => !screen().includes(`╭─ ${title}`));
  }

  return { tmux, screen, shows, type, approveShown };
}
