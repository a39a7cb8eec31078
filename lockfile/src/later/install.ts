// `lockfile install`: two accounts of one machine, as root (docs/install.md).
import { fileURLToPath } from 'node:url';
import type { CommandArguments, CommandIo } from '@lockkit/cli';
import { runInstallCommand } from '@lockkit/cli/setup';
import { lockfileContract } from '../contract/lockfile-contract.js';

const productFolder = fileURLToPath(new URL('../..', import.meta.url));

export function runInstall(args: CommandArguments, io: CommandIo): Promise<number> {
  return runInstallCommand({ contract: lockfileContract, productFolder }, args, io);
}
