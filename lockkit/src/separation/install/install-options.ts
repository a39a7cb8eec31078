// What an administrator asks `install` for, checked before anything is looked up. Called by the install command.
import { UserMistake } from '../../contract/fault.js';

export interface InstallOptions {
  readonly lock: string;
  /** Accounts of agents; may be empty: they can be added later. */
  readonly clients: readonly string[];
  /** The console's account; undefined: what system.toml says, else the lock's name. */
  readonly user?: string;
  /** The clients' group; undefined: what system.toml says, else `<lock>-clients`. */
  readonly group?: string;
  /** Also hide processes of other accounts on this machine. */
  readonly hidepid: boolean;
}

export interface InstallFlags {
  readonly client?: readonly string[];
  readonly user?: string;
  readonly group?: string;
  readonly hidepid?: boolean;
}

const NAME = /^[a-z_][a-z0-9_-]{0,30}$/;

/** Throws UserMistake that names the flag, never the value. */
export function parseInstallOptions(lock: string, flags: InstallFlags): InstallOptions {
  const { client = [], user, group, hidepid = false } = flags;
  for (const name of client) checkName('--client', name);
  if (user !== undefined) checkName('--user', user);
  if (group !== undefined) checkName('--group', group);
  return {
    lock,
    clients: [...new Set(client)],
    hidepid,
    ...(user === undefined ? {} : { user }),
    ...(group === undefined ? {} : { group }),
  };
}

function checkName(flag: string, name: string): void {
  if (!NAME.test(name))
    throw new UserMistake(
      `${flag} takes a name of a-z, 0-9, _ and -, starting with a letter, at most 31 long`,
    );
}
