// `lockfile console`: the one command that loads sources, plugins and the sandbox.
import { userInfo } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { CommandArguments, CommandIo } from '@lockkit/cli';
import { runConsoleInTerminal } from '@lockkit/tui';
import { makeLockfileLock } from '../console/lockfile-lock.js';
import { pluginsFolder } from '../plugin/plugins-folder.js';

const productFolder = fileURLToPath(new URL('../..', import.meta.url));

export function runConsoleCommand({ flags }: CommandArguments, { cwd, env }: CommandIo): Promise<number> {
  const lock = makeLockfileLock({ pluginsDir: pluginsFolder(userInfo().homedir, env['XDG_DATA_HOME']) });
  return runConsoleInTerminal(lock, flags, { cwd, env, productFolder });
}
