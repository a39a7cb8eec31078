// How results and errors are printed: JSON on request, else sentences. Called by the commands.
// Text that came from outside is escaped by whoever renders it; JSON carries it whole.
import type { ActionError } from 'lockkit/agent';
import type { CommandIo } from './command.js';

export function printJson(io: Pick<CommandIo, 'out'>, value: unknown): void {
  io.out(`${JSON.stringify(value)}\n`);
}

/** `{error: {code, meaning, hint, retry}}` on standard output under --json; else two lines beside it. */
export function printError(
  io: Pick<CommandIo, 'out' | 'err'>,
  name: string,
  error: ActionError,
  json: boolean,
): void {
  if (json) return printJson(io, { error });
  io.err(`${name}: ${error.meaning} (${error.code})\n${name}: ${error.hint}\n`);
}

/** A mistake of the person at the keyboard: one sentence. */
export function printMistake(
  io: Pick<CommandIo, 'out' | 'err'>,
  name: string,
  sentence: string,
  json: boolean,
): void {
  const hint = `see \`${name} --help\``;
  if (json) printJson(io, { error: { code: 'E_USAGE', meaning: sentence, hint, retry: 'rewrite' } });
  else io.err(`${name}: ${sentence}\n`);
}
