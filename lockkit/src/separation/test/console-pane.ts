// A human's terminal in an account of their own: a tmux server of that account, which the test types into as root.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { asAccount, cleanEnv, type TestPerson } from './two-accounts.js';

export interface ConsolePane {
  readonly keys: (...keys: readonly string[]) => void;
  readonly text: () => string;
  /** Waits until the pane shows this; throws with the pane when it never does. */
  readonly shows: (expected: string | RegExp) => Promise<void>;
  /** The terminal's device, and the process that runs in it. */
  readonly tty: () => string;
  readonly pid: () => number;
  /** The console: the pane's shell starts the starter, which becomes it. */
  readonly program: () => number;
  readonly socket: string;
  readonly kill: () => void;
}

const WAIT_MS = 60_000;

export function openConsolePane(
  who: TestPerson,
  folder: string,
  command: string,
  columns = 150,
): ConsolePane {
  const socket = `${who.home}/tmux-socket`;
  const tmux = (...args: readonly string[]): string => {
    const [program, ...rest] = [...asAccount(who), 'tmux', '-S', socket, '-f', '/dev/null', ...args] as [
      string,
      ...string[],
    ];
    return execFileSync(program, rest, { encoding: 'utf8', cwd: folder, env: cleanEnv(who), stdio: 'pipe' });
  };
  tmux('new-session', '-d', '-x', String(columns), '-y', '60', `${command}; echo "ended with $?"; exec cat`);
  const text = (): string => tmux('capture-pane', '-p', '-J', '-S', '-200');
  const pid = (): number => Number(tmux('display-message', '-p', '#{pane_pid}'));
  return {
    keys: (...keys) => void tmux('send-keys', ...keys),
    text,
    shows: async (expected) => {
      const endAtMs = Date.now() + WAIT_MS;
      for (;;) {
        const shown = text();
        if (typeof expected === 'string' ? shown.includes(expected) : expected.test(shown)) return;
        if (Date.now() > endAtMs) throw new Error(`never shown: ${String(expected)}\n${shown}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    tty: () => tmux('display-message', '-p', '#{pane_tty}').trim(),
    pid,
    program: () => Number(readFileSync(`/proc/${pid()}/task/${pid()}/children`, 'utf8').trim().split(' ')[0]),
    socket,
    kill: () => {
      try {
        tmux('kill-server');
      } catch {
        // It was killed already.
      }
    },
  };
}
