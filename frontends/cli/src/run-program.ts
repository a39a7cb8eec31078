// The command line of a lock from end to end: words → command → flags → run → exit code.
// Called by a product's main.ts; UserMistake is the only error that becomes a sentence, everything else is a bug.
import { UserMistake } from 'lockkit/contract';
import { makeActionCommand } from './action-command.js';
import type { Command, CommandArguments, CommandIo, Program } from './command.js';
import { nearestName } from './nearest-name.js';
import { printMistake } from './print.js';
import { checkOperands, findCommand, splitArgv } from './split-argv.js';

const GROUPS = [
  ['agent', 'For the agent'],
  ['human', 'For the human'],
  ['author', 'For writing rules'],
  ['setup', 'For setting up'],
] as const;

export function allCommands({ contract, commands }: Program): readonly Command[] {
  return [...contract.actions.map((action) => makeActionCommand(contract, action)), ...commands];
}

export function renderHelp(program: Program): string {
  const { name, summary, exitCodes } = program.contract;
  const commands = allCommands(program);
  const width = Math.max(...commands.map(({ words }) => words.join(' ').length)) + 2;
  const part = ([group, title]: readonly [string, string]): string => {
    const lines = commands.filter((command) => command.group === group);
    if (lines.length === 0) return '';
    return `${title}:\n${lines.map(({ words, summary: text }) => `  ${words.join(' ').padEnd(width)}${text}`).join('\n')}\n\n`;
  };
  const codes = `Exit codes: ${exitCodes.ok} ok, ${exitCodes.refused} refused, ${exitCodes.denied} denied, ${exitCodes.noConsole} no console, ${exitCodes.usage} usage.`;
  return `${name}: ${summary}\n\n${GROUPS.map(part).join('')}Every command takes --json and --help.\n${codes}\n`;
}

function unknownCommand(program: Program, argv: readonly string[]): UserMistake {
  const first = argv[0] ?? '';
  const near = allCommands(program)
    .filter(({ words }) => words[0] === first)
    .map(({ words }) => words.join(' '));
  const { name } = program.contract;
  if (near.length > 0)
    return new UserMistake(`say which: ${near.map((words) => `\`${name} ${words}\``).join(', ')}`);
  const meant = nearestName(first, [...new Set(allCommands(program).map(({ words }) => words[0] ?? ''))]);
  return new UserMistake(
    meant === undefined
      ? `no such command: \`${name} --help\` lists them all`
      : `no such command: did you mean \`${name} ${meant}\`? \`${name} --help\` lists them all`,
  );
}

async function runChecked(program: Program, argv: readonly string[], io: CommandIo): Promise<number> {
  const { name } = program.contract;
  const command = findCommand(allCommands(program), argv);
  if (!command) {
    if (argv.length > 0 && argv[0] !== '--help' && argv[0] !== 'help' && argv[0] !== '-h')
      throw unknownCommand(program, argv);
    io.out(renderHelp(program));
    return argv.length > 0 ? program.contract.exitCodes.ok : program.contract.exitCodes.usage;
  }
  const split = splitArgv(command, argv);
  if (split.head.includes('--help')) {
    const { makeParser } = await import('./parse-flags.js');
    io.out(`${await makeParser(name, command, split.head).getHelp()}\n`);
    return program.contract.exitCodes.ok;
  }
  const flags = await flagsOf(name, command, split.head);
  checkOperands(split);
  return command.run({ flags, operands: split.operands, json: split.head.includes('--json') }, io);
}

/** Without a flag but --json there is nothing to parse, and the parser is not loaded: most of an agent's calls. */
async function flagsOf(
  name: string,
  command: Command,
  head: readonly string[],
): Promise<CommandArguments['flags']> {
  if (head.every((token, at) => token === '--json' && head.indexOf(token) === at)) return {};
  const { makeParser, parseFlags } = await import('./parse-flags.js');
  return parseFlags(makeParser(name, command, head), command, head);
}

/** By name: the command's bundle and what it loads later have their own copies of the classes. */
function isNamed(error: unknown, name: 'UserMistake' | 'Fault'): error is Error {
  return error instanceof Error && error.name === name;
}

/** Never throws; the exit code is the contract's. */
export async function runProgram(program: Program, argv: readonly string[], io: CommandIo): Promise<number> {
  const { name, exitCodes } = program.contract;
  const stop = argv.indexOf('--');
  const json = argv.slice(0, stop < 0 ? argv.length : stop).includes('--json');
  try {
    return await runChecked(program, argv, io);
  } catch (error) {
    if (isNamed(error, 'UserMistake')) {
      printMistake(io, name, error.message, json);
      return exitCodes.usage;
    }
    if (isNamed(error, 'Fault')) {
      printMistake(io, name, error.message, json);
      return exitCodes.failed;
    }
    // Commands hold secrets of nobody, but a stack may still name files: a bug says that it is one, and its kind.
    printMistake(
      io,
      name,
      `a bug stopped this command (${error instanceof Error ? error.name : 'unknown'}); please report it`,
      json,
    );
    return exitCodes.failed;
  }
}
