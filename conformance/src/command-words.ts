// Splits a COMMAND that a person typed into words, as a shell would: spaces, quotes and backslashes, and nothing
// else. Called for --adapter and --lock. No shell ever sees the text, so nothing in it is expanded or run.
import { UserMistake } from 'lockkit/contract';

const WORD = /(?:[^\s'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+/gsu;
const PIECE = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^'"\\]+)/gsu;

/** The words of a command; throws UserMistake on an open quote or an empty command. */
export function splitCommand(command: string): readonly [string, ...string[]] {
  const rest = command.replace(WORD, '');
  if (rest.trim() !== '') throw new UserMistake('the command has a quote or a backslash that nothing closes');
  const [program, ...args] = (command.match(WORD) ?? []).map(unquote);
  if (program === undefined || program === '') throw new UserMistake('the command is empty');
  return [program, ...args];
}

function unquote(word: string): string {
  return word.replace(PIECE, (_all, single?: string, double?: string, escaped?: string, plain?: string) => {
    if (double !== undefined) return double.replace(/\\(["\\$`])/gu, '$1');
    return single ?? escaped ?? plain ?? '';
  });
}
