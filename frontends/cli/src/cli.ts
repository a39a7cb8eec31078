// @lockkit/cli: any lock contract as a command.
export type { Command, CommandArguments, CommandIo, Program } from './command.js';
export { printError, printJson, printMistake } from './print.js';
export { openProcessIo } from './process-io.js';
export { allCommands, renderHelp, runProgram } from './run-program.js';
export { policyCommands, type PolicyParts } from './policy-commands.js';
export { versionCommand } from './version-command.js';
export { runAuditCommand, type AuditWish } from './audit-command.js';
export { setupCommands, type SetupBodies } from './setup-commands.js';
