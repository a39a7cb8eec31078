// The composition root of the `lockfile` command: the contract, the commands, the process. The console's half is
// loaded by `console` alone (later/console.ts). Called by bin/lockfile.cjs as one bundle.
import { openProcessIo, runProgram } from '@lockkit/cli';
import { lockfileCommands } from './commands.js';
import { lockfileContract } from './contract/lockfile-contract.js';

const program = { contract: lockfileContract, commands: lockfileCommands };
const io = openProcessIo();
const code = runProgram(program, process.argv.slice(2), io);
void code.then((exit) => {
  process.exitCode = exit;
  io.close();
});
