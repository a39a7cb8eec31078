// lox in an account of its own: it decides for a console that lives in another account, and shows the commands that start
// that console. The program is the one that the lock's install copied. Used by the test of the account boundary.
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Ran, TestPerson, TwoAccounts } from 'lockkit/two-accounts';
import { openConsolePane, type ConsolePane } from './console-pane.js';

const LOX = '/usr/local/bin/lox';

export interface LoxAccount {
  readonly pane: ConsolePane;
  readonly lox: (...args: readonly string[]) => Ran;
  /** What the window tells the console's account to type for this profile: folder, key file, console. */
  readonly startOf: (profile: string) => Promise<{ readonly copy: string; readonly start: string }>;
}

export function runLoxAs(two: TwoAccounts, who: TestPerson, cwd: string, args: readonly string[]): Ran {
  return two.runAs(who, [LOX, ...args], { cwd });
}

/** What `lox add` writes; the project is the agent's, so that lox could not add a profile to it. */
export function writeLockList(
  { uid, gid, home }: TestPerson,
  project: string,
  profiles: readonly string[],
): void {
  const file = join(home, '.config/lox/locks.json');
  const more = { instance: '', projectDir: project, allowUnmask: false, showResults: false };
  const command = ['/usr/local/bin/lockssh'];
  const locks = profiles.map((profile) => ({ lock: 'lockssh', command, profile, ...more }));
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, JSON.stringify({ v: 1, locks }), { mode: 0o600 });
  for (const path of [dirname(dirname(file)), dirname(file), file]) chownSync(path, uid, gid);
}

export function openLoxAccount(two: TwoAccounts, project: string, profiles: readonly string[]): LoxAccount {
  const lox = (...args: readonly string[]): Ran => runLoxAs(two, two.human, project, args);
  writeLockList(two.human, project, profiles);
  // Wide enough for a command on one line.
  const pane = openConsolePane(two.human, project, `${LOX} run`, 220);
  const startOf = async (profile: string): Promise<{ readonly copy: string; readonly start: string }> => {
    const title = `${profile} · its console lives in another account`;
    await pane.shows('its console lives in another account');
    for (let tries = 0; tries < 10 && !pane.text().includes(title); tries++) {
      pane.keys('Down');
      await new Promise((done) => setTimeout(done, 500));
    }
    const lines = pane
      .text()
      .split('\n')
      .flatMap((line) => /┊ (.*?) *$/.exec(line)?.[1] ?? []);
    const [folder = '', copy = '', start = ''] = lines.slice(lines.findIndex((line) => /^umask/.test(line)));
    if (!start.includes(`--profile ${profile} `)) throw new Error(`no command is shown:\n${pane.text()}`);
    // Enter closes the page, once the guard of what is shown is over.
    for (let tries = 0; tries < 10 && pane.text().includes(title); tries++) {
      await new Promise((done) => setTimeout(done, 1200));
      pane.keys('Enter');
      await new Promise((done) => setTimeout(done, 500));
    }
    return { copy: `${folder}; ${copy}`, start };
  };
  return { pane, lox, startOf };
}
