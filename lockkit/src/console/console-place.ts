// Where one console lives: its account, socket, state, policy files. Computed once at the start from what root
// decided (system.toml), or from the demo's own throwaway folder. Touches nothing.
import { statSync } from 'node:fs';
import { projectFolder, stateFolder } from '../config/folders.js';
import { UserMistake } from '../contract/fault.js';
import { accountByUid, groupByName } from '../native/kernel.js';
import type { Place } from '../policy/open-sources.js';
import { findProjectRoot } from '../setting/project-root.js';
import { loadSystemSettings, type SystemSettings } from '../setting/system-settings.js';
import type { Admission } from './peer-gate.js';

/** The demo's own 0700 folder; real profiles are refused in it. */
export interface DemoFolder {
  readonly socketDir: string;
  readonly stateDir: string;
  readonly configHome: string;
}

export interface ConsolePlace {
  readonly policy: Place;
  readonly socketDir: string;
  /** The lock's state folder of the console's account. */
  readonly stateDir: string;
  readonly admission: Admission;
  readonly settings: SystemSettings | null;
}

export interface PlaceWish {
  readonly lock: string;
  readonly projectDir: string;
  readonly uid: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly allowedUids: readonly number[];
  readonly demo: DemoFolder | null;
}

function clientGidOf(lock: string, group: string | undefined): number | null {
  if (group === undefined) return null;
  const gid = groupByName(group);
  if (gid !== null) return gid;
  throw new UserMistake(`the group in /etc/${lock}/system.toml (client_group) does not exist`);
}

export function findConsolePlace(wish: PlaceWish): ConsolePlace {
  const { lock, uid, env, demo } = wish;
  const account = accountByUid(uid);
  if (account === null) throw new UserMistake('this account has no entry in the system’s list of accounts');
  const root = findProjectRoot(lock, wish.projectDir);
  // Without a folder of this lock there is no project: the account's own profiles are meant.
  const projectRoot =
    statSync(projectFolder(lock, root), { throwIfNoEntry: false })?.isDirectory() === true ? root : null;
  const settings = demo === null ? loadSystemSettings(lock) : null;
  const xdgConfigHome = demo?.configHome ?? env['XDG_CONFIG_HOME'];
  return {
    policy: {
      lock,
      projectRoot,
      home: account.home,
      ...(xdgConfigHome === undefined ? {} : { xdgConfigHome }),
      uid,
      trustedGids: [account.gid],
    },
    socketDir: demo?.socketDir ?? (settings as SystemSettings).socketDir,
    stateDir: demo?.stateDir ?? stateFolder(lock, account.home, env['XDG_STATE_HOME']),
    admission: {
      ownUid: uid,
      clientGid: settings === null ? null : clientGidOf(lock, settings.clientGroup),
      allowedUids: [...(settings?.allowedUids ?? []), ...wish.allowedUids],
    },
    settings,
  };
}
