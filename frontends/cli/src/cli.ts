// @lockkit/cli: any lock contract as a command.
export type { Command, CommandArguments, CommandIo, FlagValues, Program } from './command.js';
export { listFlag, numberFlag, switchFlag, textFlag } from './flags.js';
export { lockCommands, type CommandBody, type LockCommandParts, type SetupBodies } from './lock-commands.js';
export { printError, printJson, printMistake } from './print.js';
export { openProcessIo } from './process-io.js';
export { allCommands, renderHelp, runProgram } from './run-program.js';
