// `lockfile doctor`: what is wrong with the set-up, and what mends it (docs/doctor.md).
import { fileURLToPath } from 'node:url';
import type { CommandArguments, CommandIo } from '@lockkit/cli';
import { runDoctorCommand } from '@lockkit/cli/setup';
import { lockfileContract } from '../contract/lockfile-contract.js';
import { lockfilePolicy } from './policy-parts.js';

const product = {
  contract: lockfileContract,
  policy: lockfilePolicy,
  productFolder: fileURLToPath(new URL('../..', import.meta.url)),
  // A plugin can write into its own argv, which any account may read in /proc.
  needsHiddenProcesses: true,
  ownChecks: [],
};

export function runDoctor(args: CommandArguments, io: CommandIo): Promise<number> {
  return runDoctorCommand(product, args, io);
}
