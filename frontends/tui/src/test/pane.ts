// A real terminal for the tests of the window: a tmux server of its own, started and ended by the test that uses it.
// Waiting is by looking, never by hoping.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface PaneOptions {
  readonly columns?: number;
  readonly rows?: number;
  /** The TERM that programs see. */
  readonly term?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Pane {
  readonly keys: (...keys: readonly string[]) => void;
  /** Raw bytes as if they came from the terminal. */
  readonly bytes: (text: string) => void;
  readonly paste: (text: string) => void;
  readonly resize: (columns: number, rows: number) => void;
  /** The screen, without the blanks at the ends of lines. */
  readonly text: () => string;
  /** The same with colours, as escape sequences. */
  readonly styled: () => string;
  readonly cursor: () => string;
  /** Waits until the pane shows this; throws with the pane when it never does. */
  readonly shows: (expected: string | RegExp) => Promise<void>;
  readonly hides: (expected: string | RegExp) => Promise<void>;
  readonly kill: () => void;
}

const PATIENCE_MS = 30_000;
const LOOK_MS = 50;

export function openPane(command: string, options: PaneOptions = {}): Pane {
  const folder = mkdtempSync(join(tmpdir(), 'lock-pane-'));
  const tmux = (...args: readonly string[]): string =>
    execFileSync('tmux', ['-u', '-S', join(folder, 'socket'), '-f', '/dev/null', ...args], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C.UTF-8', ...options.env },
    });
  const { columns = 80, rows = 24, term } = options;
  const withTerm = term === undefined ? command : `env TERM=${term} ${command}`;
  tmux('new-session', '-d', '-x', String(columns), '-y', String(rows), withTerm);
  tmux('set-option', '-g', 'status', 'off');
  tmux('resize-window', '-x', String(columns), '-y', String(rows));
  const text = (): string => tmux('capture-pane', '-p');
  const wait = async (expected: string | RegExp, wanted: boolean): Promise<void> => {
    const endAtMs = Date.now() + PATIENCE_MS;
    while (Date.now() < endAtMs) {
      const shown = text();
      if ((typeof expected === 'string' ? shown.includes(expected) : expected.test(shown)) === wanted) return;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    throw new Error(`${wanted ? 'never shown' : 'never gone'}: ${String(expected)}\n${text()}`);
  };
  return {
    keys: (...keys) => void tmux('send-keys', ...keys),
    bytes: (raw) => {
      const hex = [...Buffer.from(raw, 'utf8')].map((byte) => byte.toString(16).padStart(2, '0'));
      if (hex.length > 0) tmux('send-keys', '-H', ...hex);
    },
    paste: (pasted) => {
      tmux('set-buffer', pasted);
      tmux('paste-buffer', '-p');
    },
    resize: (wide, high) => void tmux('resize-window', '-x', String(wide), '-y', String(high)),
    text,
    styled: () => tmux('capture-pane', '-p', '-e'),
    cursor: () => tmux('display-message', '-p', '#{cursor_y},#{cursor_x} #{cursor_flag}').trim(),
    shows: (expected) => wait(expected, true),
    hides: (expected) => wait(expected, false),
    kill: () => {
      tmux('kill-server');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
