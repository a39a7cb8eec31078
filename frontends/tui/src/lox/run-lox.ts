// `lox run` from start to end: hub, window, consoles of this account, commands for those of others, the private socket.
// Reads as the table of contents of what lox is. Called by lox's command and by the demo, with the rows to serve.
import { processClock, type Line } from 'lockkit/approval';
import type { DeciderHub, DeciderNews } from 'lockkit/hub';
import { hardenProcess } from 'lockkit/native';
import type { DesktopLevel } from 'lockkit/tickets';
import { join } from 'node:path';
import { WINDOW_SOURCE } from '../window/command-desk.js';
import { hasColour } from '../window/terminal-kind.js';
import { Window } from '../window/window.js';
import { ConsoleKeys } from './console-keys.js';
import { ConsoleRunner, nameOf } from './console-runner.js';
import { answerControl } from './control-desk.js';
import { openControlServer } from './control-server.js';
import { Deciders } from './deciders.js';
import { foreignScreen } from './foreign-screen.js';
import { openHubHost, type HubHost } from './hub-host.js';
import { rowId, type LockRow } from './lock-list.js';
import type { LoxIo } from './lox-io.js';
import type { LoxPlace } from './lox-place.js';
import { RuleBook } from './rule-book.js';
import { TicketDesk } from './ticket-desk.js';

export interface LoxRow extends LockRow {
  /** The account that its console lives in. */
  readonly consoleUid: number;
  readonly consoleAccount: string;
}

/** What the demo may do while lox runs. */
export interface RunningLox {
  readonly note: (line: Line) => void;
  /** Resolves when the ticket is decided, or closed without a decision. */
  readonly decided: (ticket: string) => Promise<void>;
  /** Ends lox as `:quit` does. */
  readonly stop: () => void;
  /** How the first console ended that did: `closed`, an exit code or a signal. */
  readonly consoleEnded: Promise<string>;
}

export interface RunLoxOptions {
  readonly rows: readonly LoxRow[];
  readonly place: LoxPlace;
  readonly io: LoxIo;
  readonly desktopLevel: DesktopLevel;
  readonly onReady?: (lox: RunningLox) => void;
}

/** Runs until the human quits or a signal comes. Throws UserMistake when it cannot start; the terminal is as it was. */
export async function runLox(options: RunLoxOptions): Promise<number> {
  hardenProcess();
  const { rows, place, io } = options;
  const ownUid = io.account.uid;
  const faults: string[] = [];
  let window: Window | undefined;
  const host = await openHubHost({
    place,
    ownUid,
    isShared: rows.some(({ consoleUid }) => consoleUid !== ownUid),
    nowMs: Date.now,
    later: processClock.after,
    onFault: (message) =>
      void (window === undefined ? faults.push(message) : window.note('', [`▲ hub: ${message}`])),
  });
  try {
    window = openWindow(io);
    for (const fault of faults) window.note('', [`▲ hub: ${fault}`]);
    return await serve(options, host, window);
  } finally {
    window?.close();
    await host.close();
  }
}

function openWindow({ stdin: input, stdout: output, env }: LoxIo): Window {
  const isTerminal = input.isTTY && output.isTTY;
  const colour = hasColour({ isTerminal, env });
  return new Window({ input, output, clock: processClock, colour, name: 'lox', now: () => new Date() });
}

async function serve(options: RunLoxOptions, host: HubHost, window: Window): Promise<number> {
  const { rows, place, io, desktopLevel } = options;
  const keys = new ConsoleKeys(join(place.stateDir, 'console-keys.jsonl'), () => new Date());
  const deciders = new Deciders(host, keys, (news) => hear(news));
  const desk = new TicketDesk({
    window,
    human: () => deciders.human,
    auto: () => deciders.auto,
    rules: new RuleBook(io.env),
    desktopLevel,
    rowOf: ({ key }) => {
      const row = keys.rowOf(key);
      return row && { row, source: rowId(row) };
    },
  });
  const foreign = rows.filter(({ consoleUid }) => consoleUid !== io.account.uid);
  const hear = (news: DeciderNews): void => {
    if (news.kind === 'console' || news.kind === 'back')
      for (const row of foreign) acceptAnnounced(row, deciders.human, keys, window);
    desk.hear(news);
  };
  await deciders.open();
  const stopControl = await openControlServer({
    path: place.controlSocket,
    ownUid: io.account.uid,
    answer: (request) => answerControl(request, { human: () => deciders.human, desktopLevel }),
  });
  let tellEnd: (how: string) => void = () => undefined;
  const consoleEnded = new Promise<string>((resolve) => (tellEnd = resolve));
  const runner = new ConsoleRunner({
    window,
    clock: processClock,
    env: io.env,
    hubUrl: host.url,
    onTicketKey: (row, key) => keys.add(row, key),
    onEnd: (row, how) => {
      desk.dropOf(rowId(row));
      keys.retire(row);
      tellEnd(how);
    },
  });
  try {
    startConsoles(rows, io.account.uid, host, window, runner);
    const stop = stopSignal(window);
    options.onReady?.({
      note: (line) => window.note('', line),
      decided: (ticket) => desk.decided(ticket),
      stop: stop.now,
      consoleEnded,
    });
    await stop.wait;
    window.note('', ['ending the consoles']);
    return 0;
  } finally {
    await runner.stopAll();
    stopControl();
    deciders.close();
  }
}

/** A console of another account: the hub let it in by its token and its account, and its announced key is taken. */
function acceptAnnounced(row: LoxRow, hub: DeciderHub, keys: ConsoleKeys, window: Window): void {
  const announced = hub.consoles().find((one) => rowId(one) === rowId(row));
  if (announced === undefined || keys.rowOf(announced.key) !== undefined) return;
  keys.retire(row);
  keys.add(row, announced.key);
  window.setSource({ id: rowId(row), name: nameOf(row), state: `in the account ${row.consoleAccount}` });
}

function startConsoles(
  rows: readonly LoxRow[],
  ownUid: number,
  host: HubHost,
  window: Window,
  runner: ConsoleRunner,
): void {
  const own = new Map<string, { readonly row: LoxRow; readonly keyFile: string }>();
  for (const row of rows) {
    const keyFile = host.admit(row, row.consoleUid);
    const [id, name] = [rowId(row), nameOf(row)];
    if (row.consoleUid === ownUid) {
      own.set(name, { row, keyFile });
      runner.start(row, keyFile);
      continue;
    }
    window.setSource({ id, name, state: `not here yet: start it as ${row.consoleAccount}` });
    const screen = foreignScreen(row, row.consoleAccount, host.url, keyFile);
    window.show({ id: `start ${id}`, source: id, screen, about: {} });
  }
  window.onCommand(WINDOW_SOURCE, ':start', (name) => {
    const found = own.get(name);
    if (found === undefined) window.note('', ['there is no console of that name here']);
    else if (runner.isRunning(found.row)) window.note('', ['that console runs already']);
    else runner.start(found.row, found.keyFile);
  });
}

function stopSignal(window: Window): { readonly wait: Promise<void>; readonly now: () => void } {
  let now: () => void = () => undefined;
  const wait = new Promise<void>((resolve) => (now = resolve));
  window.onCommand(WINDOW_SOURCE, ':quit', () => now());
  window.gone.addEventListener('abort', () => now());
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => now());
  return { wait, now: () => now() };
}
