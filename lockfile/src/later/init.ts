// `lockfile init`: wires coding agents in the project (docs/verbs.md).
import type { CommandArguments, CommandIo } from '@lockkit/cli';
import { runInitCommand } from '@lockkit/cli/setup';
import { lockfileContract } from '../contract/lockfile-contract.js';

export function runInit(args: CommandArguments, io: CommandIo): Promise<number> {
  return runInitCommand(lockfileContract, args, io);
}
