// Cuts a command line into the command's words, its flags and its operands, before any parser sees it.
// Operands of an argv are never interpreted: `007`, `-x` behind the program and `--` stay as they were typed.
import { UserMistake } from 'lockkit/contract';
import type { Command } from './command.js';

export interface SplitArgv {
  readonly command: Command;
  /** Flags and their values, for the flag parser. */
  readonly head: readonly string[];
  readonly operands: readonly string[];
}

/** The command with the most words that the line starts with, or undefined. */
export function findCommand(commands: readonly Command[], argv: readonly string[]): Command | undefined {
  return commands
    .filter(({ words }) => words.every((word, i) => argv[i] === word))
    .sort((a, b) => b.words.length - a.words.length)[0];
}

/** Flags come before the operands; behind `--`, or behind the first operand of an argv, everything is an operand. */
export function splitArgv(command: Command, argv: readonly string[]): SplitArgv {
  const rest = argv.slice(command.words.length);
  const head: string[] = [];
  const operands: string[] = [];
  const takesValue = new Set(
    command.flags.filter(({ kind }) => kind !== 'boolean').map(({ name }) => `--${name}`),
  );
  takesValue.add('--profile').add('--instance');
  for (let i = 0; i < rest.length; i++) {
    const token = rest[i] as string;
    if (token === '--') return { command, head, operands: [...operands, ...rest.slice(i + 1)] };
    if (!token.startsWith('-') || token === '-') {
      if (command.operands.kind === 'argv') return { command, head, operands: rest.slice(i) };
      operands.push(token);
      continue;
    }
    const value = rest[i + 1];
    if (takesValue.has(token)) {
      if (value === undefined) throw new UserMistake(`${token} needs a value`);
      // Joined, so that a value that starts with a dash is not taken for a flag.
      head.push(`${token}=${value}`);
      i++;
    } else head.push(token);
  }
  return { command, head, operands };
}

/** Throws UserMistake when there are too few or too many operands. */
export function checkOperands({ command, operands }: SplitArgv): void {
  const { operands: wanted } = command;
  const typed = command.words.join(' ');
  if (wanted.kind === 'none' && operands.length > 0) throw new UserMistake(`${typed} takes no argument`);
  if (wanted.kind === 'none') return;
  const optional = wanted.kind !== 'argv' && wanted.optional === true;
  if (operands.length === 0 && !optional) throw new UserMistake(`${typed} needs ${wanted.name}`);
  if (wanted.kind === 'one' && operands.length > 1)
    throw new UserMistake(`${typed} takes one ${wanted.name} (quote it when it holds spaces)`);
}
