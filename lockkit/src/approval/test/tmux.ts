// A real terminal for tests: a tmux server of its own, started and ended by the test that uses it.
import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Pane {
  readonly keys: (...keys: readonly string[]) => void;
  readonly paste: (text: string) => void;
  readonly text: () => string;
  /** Waits until the pane shows this; throws with the pane when it never does. */
  readonly shows: (expected: string | RegExp) => Promise<void>;
  readonly kill: () => void;
}

export function openPane(command: string): Pane {
  const server = join(mkdtempSync(join(tmpdir(), 'lock-tmux-')), 'socket');
  const tmux = (...args: readonly string[]): string =>
    execFileSync('tmux', ['-S', server, '-f', '/dev/null', ...args], { encoding: 'utf8' });
  tmux('new-session', '-d', '-x', '100', '-y', '40', command);
  const text = (): string => tmux('capture-pane', '-p', '-J');
  return {
    keys: (...keys) => void tmux('send-keys', ...keys),
    paste: (pasted) => {
      tmux('set-buffer', pasted);
      tmux('paste-buffer', '-p');
    },
    text,
    shows: (expected) => waitFor(text, expected),
    kill: () => void tmux('kill-server'),
  };
}

async function waitFor(text: () => string, expected: string | RegExp): Promise<void> {
  const endAtMs = Date.now() + 20_000;
  while (Date.now() < endAtMs) {
    const shown = text();
    if (typeof expected === 'string' ? shown.includes(expected) : expected.test(shown)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`never shown: ${String(expected)}\n${text()}`);
}
