// Reads everything that decides where a console may start, once, into one record. Called by the console's start and by
// doctor. It takes no decision: decide-desktop-level and check-start judge the record.
import type { SystemSettings } from '../setting/system-settings.js';
import type { FactsIo } from './facts-io.js';
import { foreignVariables } from './kept-variables.js';
import { readClients } from './read-clients.js';
import { readContainer } from './read-container.js';
import { readLoginSession } from './read-login-session.js';
import { parseProcMounts } from './read-proc-mounts.js';
import { readProgram } from './read-program.js';
import type { SessionFacts } from './session-facts.js';
import { lookUpwards } from './trusted-path.js';

export interface FactsWish {
  readonly settings: SystemSettings;
  readonly systemFile: string;
  /** The folder of the product's package.json. */
  readonly productFolder: string;
  /** Accounts that the console's own flag admits, beside those of system.toml. */
  readonly allowedUids: readonly number[];
}

/** The kernel's number for "nobody logged in". */
const NO_LOGIN = 0xffff_ffff;

export function readSessionFacts(io: FactsIo, wish: FactsWish): SessionFacts {
  const { settings } = wish;
  const account = io.accountByUid(io.uid);
  const service = settings.serviceUser === undefined ? null : io.accountByName(settings.serviceUser);
  const allowedUids = [...settings.allowedUids, ...wish.allowedUids];
  return {
    uid: io.uid,
    account,
    loginUid: readLoginUid(io),
    terminals: io.terminals(),
    session: readLoginSession(io),
    hasX11Display: isSet(io, 'DISPLAY'),
    isMultiplexed: isSet(io, 'TMUX') || isSet(io, 'STY'),
    container: readContainer(io),
    service,
    clientGid: settings.clientGroup === undefined ? null : io.groupByName(settings.clientGroup),
    clients: readClients(io, { group: settings.clientGroup, allowedUids }),
    procMounts: parseProcMounts(io.readText('/proc/self/mountinfo') ?? ''),
    program: readProgram(io, wish.productFolder),
    foreignVariables: foreignVariables(io.env),
    home: account === null ? null : io.look(account.home),
    socketFolder: io.look(settings.socketDir),
    systemFile: lookUpwards(io, wish.systemFile),
  };
}

function isSet(io: FactsIo, name: string): boolean {
  return (io.env[name] ?? '') !== '';
}

function readLoginUid(io: FactsIo): number | null {
  const text = io.readText('/proc/self/loginuid')?.trim() ?? '';
  if (!/^[0-9]{1,10}$/.test(text)) return null;
  return Number(text) === NO_LOGIN ? null : Number(text);
}
