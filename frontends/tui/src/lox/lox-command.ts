// The command line of lox: `add`, `run`, `tickets`, `approve`, `deny`, `history`. Called by main.ts. UserMistake is the
// only error that becomes a sentence.
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Fault, UserMistake } from 'lockkit/contract';
import { canDrawWindow } from '../window/terminal-kind.js';
import { addLock } from './add-lock.js';
import { checkNoClient } from './check-client.js';
import { approve, deny, type DecidePlace } from './decide-command.js';
import { listHistory, listTickets } from './history-command.js';
import { readLockList, type LockRow } from './lock-list.js';
import type { LoxIo } from './lox-io.js';
import { findLoxPlace } from './lox-place.js';
import { toLoxRows } from './lox-rows.js';
import { readOwnLevel } from './own-level.js';
import { runLox } from './run-lox.js';

const HELP = `lox: one window for all your locks

  lox add LOCK [its flags]   add a lock's profile: \`lox add lockssh --profile web --host web1.example.com --user deploy\`
                             lox's own flags: --instance NAME --project DIR --allow-unmask --show-results
  lox run                    the window: consoles, what waits, decisions
  lox tickets [--json]       what waits
  lox approve ID             read a ticket here and decide it
  lox deny ID [REASON]       deny it
  lox history [--limit N] [--json]
                             what was decided, the newest first

Exit codes: 0 done, 1 failed or not decided, 3 usage or configuration.
`;

export interface LoxProgram {
  readonly io: LoxIo;
  /** The folder of lox's package.json. */
  readonly folder: string;
  readonly version: string;
  /** Where the demo's entry lies, when it is there at all. */
  readonly demoEntry: string;
}

const USAGE = 3;

/** Never throws; gives the exit code. */
export async function runLoxCommand(argv: readonly string[], program: LoxProgram): Promise<number> {
  const { err } = program.io;
  try {
    return await runChecked(argv, program);
  } catch (error) {
    if (error instanceof UserMistake) {
      err(`lox: ${error.message}\n`);
      return USAGE;
    }
    if (error instanceof Fault) {
      err(`lox: ${error.message}\n`);
      return 1;
    }
    err(
      `lox: a bug stopped this command (${error instanceof Error ? error.name : 'unknown'}); please report it\n`,
    );
    return 1;
  }
}

async function runChecked([verb = '', ...rest]: readonly string[], program: LoxProgram): Promise<number> {
  const { io, version } = program;
  switch (verb) {
    case 'add':
      return addCommand(rest, io);
    case 'run':
      flagsOf(rest, {}, 0);
      return runCommand(program);
    case 'tickets':
      return listTickets(
        flagsOf(rest, { json: { type: 'boolean' } }, 0).values['json'] === true,
        placeOf(program),
      );
    case 'approve':
      return approve(flagsOf(rest, {}, 1).positionals[0] ?? '', placeOf(program));
    case 'deny':
      return denyCommand(rest, program);
    case 'history':
      return historyCommand(rest, program);
    case 'version':
      io.out(`lox ${version}\n`);
      return 0;
    case '--help':
    case 'help':
    case '-h':
      io.out(HELP);
      return 0;
    default:
      io.out(HELP);
      return USAGE;
  }
}

type Options = Readonly<Record<string, { readonly type: 'boolean' | 'string' }>>;

/** Strict; a sentence of our own, so that nothing typed comes back. */
function flagsOf(
  args: readonly string[],
  options: Options,
  most: number,
): { readonly values: Readonly<Record<string, unknown>>; readonly positionals: readonly string[] } {
  let parsed;
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch {
    throw new UserMistake('that flag is not known here: `lox --help`');
  }
  if (parsed.positionals.length > most) throw new UserMistake('too many words: `lox --help`');
  return parsed;
}

function addCommand([lock, ...rest]: readonly string[], io: LoxIo): Promise<number> {
  if (lock === undefined || lock.startsWith('-'))
    throw new UserMistake('lox add needs a lock: `lox add lockssh …`');
  return addLock(lock, rest, io);
}

function denyCommand(rest: readonly string[], program: LoxProgram): Promise<number> {
  const [id = '', ...words] = rest[0] === '--' ? rest.slice(1) : rest;
  return deny(id, words.join(' '), placeOf(program));
}

function historyCommand(rest: readonly string[], program: LoxProgram): Promise<number> {
  const { values } = flagsOf(rest, { json: { type: 'boolean' }, limit: { type: 'string' } }, 0);
  const { json, limit = '50' } = values as { readonly json?: boolean; readonly limit?: string };
  if (!/^[1-9][0-9]{0,2}$/.test(limit) || Number(limit) > 500)
    throw new UserMistake('--limit takes a number from 1 to 500');
  return listHistory(Number(limit), json === true, placeOf(program));
}

function placeOf({ io, folder }: LoxProgram): DecidePlace {
  const place = findLoxPlace(io.account.home, io.env);
  const locks = readLockList(place.listFile, io.account.uid).map(({ lock }) => lock);
  return { io, place, desktopLevel: readOwnLevel(locks, io.env, folder) };
}

async function runCommand({ io, folder, demoEntry }: LoxProgram): Promise<number> {
  const place = findLoxPlace(io.account.home, io.env);
  const rows = readLockList(place.listFile, io.account.uid);
  if (rows.length === 0) return offerDemo(io, demoEntry);
  checkNoClient(
    rows.map(({ lock }) => lock),
    io.account,
  );
  if (!canDrawWindow({ isTerminal: io.stdin.isTTY && io.stdout.isTTY, env: io.env }))
    throw new UserMistake(
      'lox run draws a window: run it in a terminal. Without one: `lox tickets`, `lox approve`, or a console with --plain',
    );
  const level = readOwnLevel(
    rows.map(({ lock }: LockRow) => lock),
    io.env,
    folder,
  );
  return runLox({ rows: toLoxRows(rows, io.account), place, io, desktopLevel: level });
}

/** The demo is no part of what is installed: it is offered where it lies beside lox. */
function offerDemo({ out }: LoxIo, demoEntry: string): number {
  out(
    'No lock is added yet. Add one:\n\n  lox add lockssh --profile web --host web1.example.com --user deploy\n\n',
  );
  if (existsSync(demoEntry))
    out(`Or look first, with sample data on this machine:\n\n  node ${demoEntry}\n\n`);
  return USAGE;
}
