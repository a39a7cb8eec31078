// `console` of any lock: the flags, this terminal as the human, the process's signals. Called by a product's
// console command with its lock type; it is the console's side and is never loaded by the agent's.
import type { Human } from 'lockkit/approval';
import {
  checkHub,
  runConsole,
  type ConsoleEnd,
  type ConsoleWish,
  type DemoFolder,
  type LockType,
} from 'lockkit/console';
import { listProfileNames } from 'lockkit/agent';
import { UserMistake } from 'lockkit/contract';
import { findProjectRoot } from 'lockkit/setting';
import { readStart, type ConsoleStart } from './decide-start.js';
import { openConsoleHuman } from './open-human.js';
import { withStandingWarnings } from './standing-warnings.js';

export type ConsoleFlags = Readonly<Record<string, boolean | string | number | readonly string[]>>;

export interface ConsoleProcess {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder of the product's package.json: what runs here is checked before anything is asked. */
  readonly productFolder: string;
}

function parseUids(text: string | undefined): readonly number[] {
  if (text === undefined) return [];
  const uids = text.split(',');
  if (!uids.every((uid) => /^[0-9]{1,10}$/.test(uid) && Number(uid) < 0xffff_ffff))
    throw new UserMistake('--allowed-uids takes account numbers with commas between: 1000,1001');
  return uids.map(Number);
}

function chooseProfile(lock: string, projectDir: string, wanted: string | undefined): string {
  if (wanted !== undefined) return wanted;
  const names = listProfileNames(lock, findProjectRoot(lock, projectDir));
  if (names.length === 1) return (names[0] as { readonly name: string }).name;
  throw new UserMistake(
    names.length === 0
      ? `no profile is configured here: \`${lock} profile add --help\``
      : 'several profiles are configured: choose one with --profile',
  );
}

export function consoleWish(
  lock: string,
  flags: ConsoleFlags,
  cwd: string,
  demo: DemoFolder | null,
): ConsoleWish {
  const {
    profile,
    project,
    instance,
    allowed_uids: uids,
    hub: url,
    hub_key_file: keyFile,
  } = flags as Readonly<Record<string, string | undefined>>;
  const projectDir = project ?? cwd;
  return {
    profile: chooseProfile(lock, projectDir, profile),
    projectDir,
    ...(instance === undefined ? {} : { instance }),
    allowUnmask: flags['allow_unmask'] === true,
    showResults: flags['show_results'] === true,
    allowedUids: parseUids(uids),
    demo,
    ...parseHub(url, keyFile),
  };
}

/** Both or none: a console that is told of a hub starts with it or not at all. */
function parseHub(url: string | undefined, keyFile: string | undefined): Pick<ConsoleWish, 'hub'> {
  if (url === undefined && keyFile === undefined) return {};
  if (url === undefined || keyFile === undefined)
    throw new UserMistake('--hub and --hub-key-file go together: where the hub is, and the key file for it');
  return { hub: { url, keyFile } };
}

/** Aborted by the signals that end a console; a second one ends the process at once. */
function endingSignals(restore: () => void): AbortSignal {
  const ended = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => {
      if (ended.signal.aborted) {
        restore();
        process.exit(1);
      }
      ended.abort();
    });
  return ended.signal;
}

const SENTENCES: Readonly<Record<ConsoleEnd, string>> = {
  quit: 'the session is closed',
  signal: 'the session is closed',
  logout: 'the agent logged out: the session is closed',
  idle: 'nothing was asked for too long: the session is closed',
  maximum: 'the longest time of a session is over: it is closed',
  lost: 'the session is lost',
  target_changed: 'the target changed: start the console again',
  failed: 'the console stopped itself: the audit log says why',
};

/** The level is said before any secret is asked for. */
function noteStart(human: Human, { desktop }: ConsoleStart): void {
  human.note([
    `desktop level ${String(desktop.level)}: ${desktop.reasons.map(({ sentence }) => sentence).join('; ')}`,
  ]);
  if (desktop.level < 3)
    human.note(['the agent’s account may read or type on this terminal: no clear results']);
}

/** Runs the console in this terminal until its session ends. Returns the exit code: 0, or 1 when it failed. */
export async function runConsoleInTerminal<P>(
  lock: LockType<P>,
  flags: ConsoleFlags,
  { cwd, env, productFolder }: ConsoleProcess,
): Promise<number> {
  const start = readStart(
    lock,
    { env, productFolder },
    parseUids(flags['allowed_uids'] as string | undefined),
  );
  const wish = consoleWish(lock.contract.name, flags, cwd, null);
  checkHub(lock, wish);
  const { profile, instance = '' } = wish;
  const form = { plain: flags['plain'] === true, pipe: flags['window_pipe'] === true };
  const terminal = openConsoleHuman({ ...form, lock: lock.contract.name, instance, profile }, env);
  const human = withStandingWarnings(terminal, start.warnings);
  let after = '';
  try {
    noteStart(human, start);
    const end = await runConsole(lock, wish, {
      human,
      uid: process.getuid?.() ?? -1,
      env,
      nowMs: Date.now,
      after: (ms, call) => {
        const timer = setTimeout(call, ms);
        return () => clearTimeout(timer);
      },
      onTicketKey: (key) => terminal.tellTicketKey?.(key),
      signal: endingSignals(terminal.restore),
      desktopLevel: start.desktop.level,
      whyNoProduction: start.whyNoProduction,
    });
    // What a window showed is gone from the terminal with it.
    if (terminal.hasScreen) after = `${SENTENCES[end]}\n`;
    else human.note([SENTENCES[end]]);
    return end === 'failed' ? 1 : 0;
  } finally {
    await human.close();
    process.stdin.unref?.();
    process.stdout.write(after);
  }
}
