// Flags by yargs, strictly: an unknown flag, a boolean with a value and a flag given twice are usage mistakes.
// Nothing is coerced but whole numbers: a value is the text that was typed.
import type { Flag } from 'lockkit/contract';
import { UserMistake } from 'lockkit/contract';
import yargs, { type Argv, type Options } from 'yargs';
import type { Command, FlagValues } from './command.js';

const PARSER = {
  'parse-numbers': false,
  'parse-positional-numbers': false,
  'dot-notation': false,
  'boolean-negation': false,
  'camel-case-expansion': false,
  'duplicate-arguments-array': true,
  'greedy-arrays': false,
  'short-option-groups': false,
} as const;

function optionOf(flag: Flag): Options {
  const isArray = flag.kind === 'list' || flag.kind === 'pairs';
  const type = flag.kind === 'boolean' ? 'boolean' : isArray ? 'array' : 'string';
  return { type, describe: flag.summary, string: flag.kind !== 'boolean' };
}

const MAX_COLUMNS = 100;

/** Sentences that follow each other are one paragraph, filled to the width that there is. */
function flow(description: string): string {
  return description.replace(/(\S)\n(?=[^\s-])/g, '$1 ');
}

/** The yargs parser of one command; `scriptName` and `usage` serve its help. */
export function makeParser(name: string, command: Command, head: readonly string[]): Argv {
  const operands = command.operands.kind === 'none' ? '' : ` ${usageOf(command.operands)}`;
  const parser = yargs([...head])
    .scriptName(name)
    .usage(`${name} ${command.words.join(' ')} [flags]${operands}\n\n${flow(command.description)}`)
    .parserConfiguration(PARSER)
    .strict()
    .exitProcess(false)
    .version(false)
    .help('help', 'show this help')
    .option('json', { type: 'boolean', describe: 'print JSON' })
    .fail((_message, error) => {
      // Its message repeats what was typed.
      throw error ?? new UserMistake('a flag that this command does not take, or one without its value');
    });
  parser.wrap(Math.min(MAX_COLUMNS, parser.terminalWidth() ?? MAX_COLUMNS));
  for (const flag of command.flags) parser.option(flag.name, optionOf(flag));
  for (const example of command.examples ?? []) parser.example(example, '');
  return parser;
}

function usageOf(operands: Exclude<Command['operands'], { readonly kind: 'none' }>): string {
  if (operands.kind === 'argv') return `[--] ${operands.name} [ARG]...`;
  const name = operands.kind === 'many' ? `${operands.name}...` : operands.name;
  return operands.optional === true ? `[${name}]` : name;
}

/** Values by `param`. Throws UserMistake with a sentence that names the flag, never its value. */
export function parseFlags(parser: Argv, command: Command, head: readonly string[]): FlagValues {
  checkBooleans(command, head);
  const parsed = parser.parseSync() as Readonly<Record<string, unknown>>;
  const values: Record<string, FlagValues[string]> = {};
  for (const { name, param, kind } of command.flags) {
    const value = parsed[name];
    if (value === undefined) continue;
    if (kind === 'list' || kind === 'pairs') values[param] = (value as readonly unknown[]).map(String);
    else if (Array.isArray(value)) throw new UserMistake(`--${name} is given twice`);
    else values[param] = kind === 'number' ? numberOf(name, value as string) : (value as boolean | string);
  }
  return values;
}

function numberOf(name: string, text: string): number {
  if (!/^[0-9]{1,9}$/.test(text)) throw new UserMistake(`--${name} takes a whole number`);
  return Number(text);
}

/** yargs reads `--json=maybe` as false; here it is a mistake. */
function checkBooleans(command: Command, head: readonly string[]): void {
  const booleans = [
    'json',
    'help',
    ...command.flags.filter(({ kind }) => kind === 'boolean').map(({ name }) => name),
  ];
  for (const name of booleans)
    if (head.some((token) => token.startsWith(`--${name}=`)))
      throw new UserMistake(`--${name} takes no value`);
}
