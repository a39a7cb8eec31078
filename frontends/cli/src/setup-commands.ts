// The entries of the set-up commands of any lock: `install`, `doctor`, `init`. Their bodies (setup.ts) are loaded when
// one of them is asked for, so that an agent's command starts without them.
import type { Command, CommandArguments, CommandIo } from './command.js';

type Body = (args: CommandArguments, io: CommandIo) => Promise<number>;

interface Bodies {
  readonly install: Body;
  readonly doctor: Body;
  readonly init: Body;
}

/** `install`, `doctor`, `init` of the lock of this name. */
export function setupCommands(lock: string, bodies: Bodies): readonly Command[] {
  return [installEntry(lock, bodies.install), doctorEntry(bodies.doctor), initEntry(lock, bodies.init)];
}

function installEntry(lock: string, run: Body): Command {
  return {
    words: ['install'],
    summary: 'make the console’s account, the clients’ group and the root-owned program (as root)',
    description:
      'Prints the script that it will run, asks, and runs it. A second run changes nothing. --print only prints.',
    flags: [
      {
        name: 'client',
        param: 'client',
        kind: 'list',
        placeholder: 'USER',
        summary: 'an account of agents that may ask (repeat for several)',
      },
      {
        name: 'user',
        param: 'user',
        kind: 'text',
        placeholder: 'USER',
        summary: `the console’s account (default ${lock}); several locks may share one`,
      },
      {
        name: 'group',
        param: 'group',
        kind: 'text',
        placeholder: 'GROUP',
        summary: `the clients’ group (default ${lock}-clients)`,
      },
      {
        name: 'hidepid',
        param: 'hidepid',
        kind: 'boolean',
        summary: 'also hide every account’s processes from the others (/proc)',
      },
      { name: 'print', param: 'print', kind: 'boolean', summary: 'print the script and do nothing' },
      { name: 'uninstall', param: 'uninstall', kind: 'boolean', summary: 'take away what install made' },
      { name: 'yes', param: 'yes', kind: 'boolean', summary: 'do not ask' },
    ],
    operands: { kind: 'none' },
    examples: [`sudo ${lock} install --client alice`, `${lock} install --client alice --print`],
    group: 'setup',
    run,
  };
}

function doctorEntry(run: Body): Command {
  return {
    words: ['doctor'],
    summary: 'check the set-up: configuration, accounts, consoles, project, agents',
    description: 'One line and one fix for each check. Exit 1 when one fails. --fix does only what is safe.',
    flags: [
      { name: 'fix', param: 'fix', kind: 'boolean', summary: 'mend what can be mended safely' },
      { name: 'yes', param: 'yes', kind: 'boolean', summary: 'with --fix: do not ask' },
    ],
    operands: { kind: 'none' },
    group: 'setup',
    run,
  };
}

function initEntry(lock: string, run: Body): Command {
  return {
    words: ['init'],
    summary: 'wire coding agents in this project: MCP server, instructions, permissions',
    description:
      'AGENT is claude, codex, cursor or gemini; without one, those that the project shows signs of. Existing entries\nstay as they are; a second run changes nothing.',
    flags: [],
    operands: { kind: 'many', name: 'AGENT', optional: true },
    examples: [`${lock} init claude codex`],
    group: 'setup',
    run,
  };
}
