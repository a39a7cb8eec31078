// `lockssh console`: the one command that loads the connection and the secret.
import { fileURLToPath } from 'node:url';
import type { CommandArguments, CommandIo } from '@lockkit/cli';
import { runConsoleInTerminal } from '@lockkit/tui';
import { locksshLock } from '../console/lockssh-lock.js';

const productFolder = fileURLToPath(new URL('../..', import.meta.url));

export function runConsoleCommand({ flags }: CommandArguments, { cwd, env }: CommandIo): Promise<number> {
  return runConsoleInTerminal(locksshLock, flags, { cwd, env, productFolder });
}
