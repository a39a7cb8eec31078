// The names of the profiles that this account can see, to choose one and to list them. Called by the front-ends.
// It reads names only: what a profile allows is the console's to say, whatever these files hold.
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { UserMistake } from '../contract/fault.js';

const MAX_BYTES = 1024 * 1024;

export interface ProfileName {
  readonly name: string;
  readonly from: 'project' | 'user';
}

function readSmallFile(path: string): string | null {
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stat = fstatSync(fd);
      return stat.isFile() && stat.size <= MAX_BYTES ? readFileSync(fd, 'utf8') : null;
    } finally {
      closeSync(fd);
    }
  } catch {
    return null;
  }
}

/** Names in one file; a file that does not parse is a mistake of whoever wrote it, and names none. */
function namesIn(path: string): readonly string[] {
  const text = readSmallFile(path);
  if (text === null) return [];
  try {
    const { profiles } = parse(text);
    return typeof profiles === 'object' && profiles !== null && !Array.isArray(profiles)
      ? Object.keys(profiles)
      : [];
  } catch {
    throw new UserMistake(
      'the policy file does not parse: `policy check` says where; or name the profile with --profile',
    );
  }
}

/** A project profile stands before a user profile of the same name. */
export function listProfileNames(
  lock: string,
  projectRoot: string,
  configHome: string = userConfigHome(),
): readonly ProfileName[] {
  const project = namesIn(join(projectRoot, `.${lock}`, 'config.toml'));
  const user = namesIn(join(configHome, lock, 'config.toml')).filter((name) => !project.includes(name));
  return [
    ...project.map((name) => ({ name, from: 'project' as const })),
    ...user.map((name) => ({ name, from: 'user' as const })),
  ];
}

/** `$XDG_CONFIG_HOME` or `~/.config` of the account that reads. */
export function userConfigHome(): string {
  const xdg = process.env['XDG_CONFIG_HOME'];
  return xdg !== undefined && xdg.startsWith('/') ? xdg : join(homedir(), '.config');
}
