// Where plugins are installed: the data folder of the account that holds the console.
import { isAbsolute, join } from 'node:path';

/** `$XDG_DATA_HOME/lockfile/plugins`, or `~/.local/share/lockfile/plugins`; a relative XDG_DATA_HOME is ignored. */
export function pluginsFolder(home: string, xdgDataHome: string | undefined): string {
  const data =
    xdgDataHome !== undefined && isAbsolute(xdgDataHome) ? xdgDataHome : join(home, '.local/share');
  return join(data, 'lockfile/plugins');
}
