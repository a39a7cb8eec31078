// Where a lock's files are (docs/decisions.md, "Files"). Used by the policy, the console, the verbs and doctor.
// `home` is always the home of the account that reads; nothing here reads the environment by itself.
import { isAbsolute, join } from 'node:path';

export const CONFIG_FILE = 'config.toml';
export const PII_FILE = 'pii.toml';

/** `<project>/.lockssh` */
export function projectFolder(lock: string, projectRoot: string): string {
  return join(projectRoot, `.${lock}`);
}

/** `$XDG_CONFIG_HOME/lockssh` or `~/.config/lockssh`. A relative XDG folder is ignored, as its standard says. */
export function userFolder(lock: string, home: string, xdgConfigHome?: string): string {
  return join(absoluteOr(xdgConfigHome, join(home, '.config')), lock);
}

/** `$XDG_STATE_HOME/lockssh` or `~/.local/state/lockssh`. */
export function stateFolder(lock: string, home: string, xdgStateHome?: string): string {
  return join(absoluteOr(xdgStateHome, join(home, '.local', 'state')), lock);
}

function absoluteOr(path: string | undefined, otherwise: string): string {
  return path !== undefined && isAbsolute(path) ? path : otherwise;
}

/** A path of a profile as an absolute one: `~/` and relative paths start at `home`, never at a project. */
export function resolveHome(path: string, home: string): string {
  if (path.startsWith('~/')) return join(home, path.slice(2));
  return isAbsolute(path) ? path : join(home, path);
}
