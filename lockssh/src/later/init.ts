// `lockssh init`: wires coding agents in the project (docs/verbs.md).
import type { CommandArguments, CommandIo } from '@lockkit/cli';
import { runInitCommand } from '@lockkit/cli/setup';
import { locksshContract } from '../contract/lockssh-contract.js';

export function runInit(args: CommandArguments, io: CommandIo): Promise<number> {
  return runInitCommand(locksshContract, args, io);
}
