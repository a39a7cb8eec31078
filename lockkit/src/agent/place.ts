// Where an agent's client looks for consoles, and whose they must be. Called by the front-ends.
// A client never speaks to a socket of another account than the console's: it would tell a stranger its request.
import { UserMistake } from '../contract/fault.js';
import { accountByName } from '../native/kernel.js';
import { findProjectRoot } from '../setting/project-root.js';
import { loadSystemSettings } from '../setting/system-settings.js';

export interface Place {
  readonly projectRoot: string;
  readonly socketDir: string;
  /** The uid that the console's process must have. */
  readonly consoleUid: number;
}

/** The variable that points a client at a demo console of its own account. */
export const DEMO_SOCKET_DIR = 'LOCKKIT_DEMO_SOCKET_DIR';

export function findPlace(
  lock: string,
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
  ownUid: number,
): Place {
  const projectRoot = findProjectRoot(lock, cwd);
  const demoDir = env[DEMO_SOCKET_DIR];
  if (demoDir !== undefined && demoDir !== '') return { projectRoot, socketDir: demoDir, consoleUid: ownUid };
  const settings = loadSystemSettings(lock);
  return {
    projectRoot,
    socketDir: settings.socketDir,
    consoleUid: consoleUid(lock, settings.serviceUser, ownUid),
  };
}

function consoleUid(lock: string, serviceUser: string | undefined, ownUid: number): number {
  if (serviceUser === undefined) return ownUid;
  const account = accountByName(serviceUser);
  if (account) return account.uid;
  throw new UserMistake(`the account in /etc/${lock}/system.toml (service_user) does not exist`);
}
