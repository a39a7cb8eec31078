import type { CommandBody } from '@lockkit/cli';
import { runConsoleInTerminal } from '@lockkit/tui';
import { lock } from '../lock.js';
import { productFolder } from './setup.js';

export const runConsole: CommandBody = ({ flags }, { cwd, env }) =>
  runConsoleInTerminal(lock, flags, { cwd, env, productFolder });
