// The composition root of the `lockssh` command: the contract, the commands, the process. The console's half is
// loaded by `console` alone (later/console.ts). Called by bin/lockssh.cjs as one bundle.
import { openProcessIo, runProgram } from '@lockkit/cli';
import { locksshCommands } from './commands.js';
import { locksshContract } from './contract/lockssh-contract.js';

const program = { contract: locksshContract, commands: locksshCommands };
const io = openProcessIo();
const code = runProgram(program, process.argv.slice(2), io);
void code.then((exit) => {
  process.exitCode = exit;
  io.close();
});
