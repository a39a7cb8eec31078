// `lockssh doctor`: what is wrong with the set-up, and what mends it (docs/doctor.md).
import { fileURLToPath } from 'node:url';
import type { CommandArguments, CommandIo } from '@lockkit/cli';
import { runDoctorCommand } from '@lockkit/cli/setup';
import { locksshContract } from '../contract/lockssh-contract.js';
import { locksshPolicy } from './policy-parts.js';

const product = {
  contract: locksshContract,
  policy: locksshPolicy,
  productFolder: fileURLToPath(new URL('../..', import.meta.url)),
  needsHiddenProcesses: false,
  ownChecks: [],
};

export function runDoctor(args: CommandArguments, io: CommandIo): Promise<number> {
  return runDoctorCommand(product, args, io);
}
