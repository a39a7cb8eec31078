// The commands that every lock has beside its actions: `mcp`, `console`, `audit`, `policy check | diff`, `profile add |
// rules`, `install`, `doctor`, `init`, `version`. Called by a product's commands.ts. The bodies are loaded when one of
// them is asked for (the product's `later` folder), so that an agent's command starts without any of them.
import type { Flag, LockContract } from 'lockkit/contract';
import type { Command, CommandArguments, CommandIo } from './command.js';
import { switchFlag, textFlag } from './flags.js';
import { policyCommands, type PolicyParts } from './policy-commands.js';
import { setupCommands } from './setup-commands.js';
import { versionCommand } from './version-command.js';

export type CommandBody = (args: CommandArguments, io: CommandIo) => Promise<number>;

/** What `openSetup` of @lockkit/cli/setup makes. */
export interface SetupBodies {
  readonly policy: PolicyParts;
  readonly audit: (verb: 'verify' | 'show', args: CommandArguments, io: CommandIo) => Promise<number>;
  readonly profileAdd: CommandBody;
  readonly profileRules: CommandBody;
  readonly install: CommandBody;
  readonly doctor: CommandBody;
  readonly init: CommandBody;
}

export interface LockCommandParts {
  readonly contract: LockContract;
  readonly console: {
    readonly summary: string;
    readonly description: string;
    /** Beside those that every console has. */
    readonly flags?: readonly Flag[];
  };
  readonly profileAdd: {
    /** One for each key that a launcher may set; never a secret. */
    readonly flags: readonly Flag[];
    readonly examples: readonly string[];
  };
  /** Commands that only this lock has. */
  readonly own?: readonly Command[];
  readonly load: {
    readonly setup: () => Promise<SetupBodies>;
    /** The one that loads the secret's half. */
    readonly console: () => Promise<CommandBody>;
    readonly mcp: () => Promise<() => Promise<number>>;
  };
}

const whichProfile = textFlag('profile', 'P', 'which profile');

const CONSOLE_FLAGS: readonly Flag[] = [
  textFlag('profile', 'P', 'which profile, when several are configured'),
  textFlag('project', 'DIR', 'the project’s folder (default: here)'),
  textFlag('instance', 'NAME', 'a name, when several consoles hold one profile'),
  textFlag('hub', 'URL', 'the hub where tickets are decided (lox run passes its own)'),
  textFlag('hub-key-file', 'FILE', 'the key file for that hub: only root or this account may write it'),
  switchFlag('show-results', 'show clear results here from the start'),
  textFlag('allowed-uids', 'UID,...', 'accounts that may connect beside the clients’ group'),
  switchFlag('plain', 'plain text instead of the window (for screen readers; pipes get it anyway)'),
  switchFlag(
    'window-pipe',
    'the window is at the other end of standard input and output: lox starts consoles so',
  ),
];

export function lockCommands(parts: LockCommandParts): readonly Command[] {
  const { contract, own = [], load } = parts;
  return [
    mcpEntry(load.mcp),
    consoleEntry(parts),
    ...auditEntries(load.setup),
    ...policyCommands({
      exitCodes: contract.exitCodes,
      load: async () => (await load.setup()).policy,
    }),
    ...own,
    profileAddEntry(parts),
    profileRulesEntry(load.setup),
    ...setupCommands(contract.name, {
      install: async (args, io) => (await load.setup()).install(args, io),
      doctor: async (args, io) => (await load.setup()).doctor(args, io),
      init: async (args, io) => (await load.setup()).init(args, io),
    }),
    versionCommand(contract),
  ];
}

function mcpEntry(load: LockCommandParts['load']['mcp']): Command {
  return {
    words: ['mcp'],
    summary: 'the MCP server on standard input and output',
    description: 'Serves the agent’s actions as MCP tools. Coding agents start it; `init` wires it.',
    flags: [],
    operands: { kind: 'none' },
    group: 'agent',
    run: async () => (await load())(),
  };
}

function consoleEntry({ console: { summary, description, flags = [] }, load }: LockCommandParts): Command {
  return {
    words: ['console'],
    summary,
    description,
    flags: [...CONSOLE_FLAGS, ...flags],
    operands: { kind: 'none' },
    group: 'human',
    run: async (args, io) => (await load.console())(args, io),
  };
}

function auditEntries(load: LockCommandParts['load']['setup']): readonly Command[] {
  const entry = (
    verb: 'verify' | 'show',
    summary: string,
    description: string,
    flags: readonly Flag[],
  ): Command => ({
    words: ['audit', verb],
    summary,
    description,
    flags: [whichProfile, ...flags],
    operands: { kind: 'none' },
    group: 'human',
    run: async (args, io) => (await load()).audit(verb, args, io),
  });
  return [
    entry(
      'verify',
      'check the audit log’s chain and checkpoints',
      'Checks every record, the hash chain and the signed checkpoints; given an earlier checkpoint, also that nothing\nof what it saw is gone. Exit 0: intact. Exit 1: broken, with the place.',
      [textFlag('checkpoint', 'FILE', 'an earlier checkpoint that the log must still hold')],
    ),
    entry(
      'show',
      'the audit log as lines',
      'Prints the records, oldest first: who asked, what was decided, what ran, how it ended.',
      [],
    ),
  ];
}

function profileAddEntry({ contract: { name }, profileAdd, load }: LockCommandParts): Command {
  return {
    words: ['profile', 'add'],
    summary: 'add a profile to the project’s policy file; never rewrites one',
    description: `Writes [profiles.NAME] at the end of .${name}/config.toml. It never takes, asks for or writes a secret;\nan existing profile is left as it is (status: exists).`,
    flags: [
      textFlag('profile', 'NAME', 'the profile’s name'),
      ...profileAdd.flags,
      switchFlag('non-interactive', 'ask nothing (nothing is ever asked; launchers pass it)'),
    ],
    operands: { kind: 'none' },
    examples: profileAdd.examples,
    group: 'setup',
    run: async (args, io) => (await load.setup()).profileAdd(args, io),
  };
}

function profileRulesEntry(load: LockCommandParts['load']['setup']): Command {
  return {
    words: ['profile', 'rules'],
    summary: 'the auto rules of the approved policy, for launchers',
    description:
      'Prints what a launcher may decide by rule, from the policy that the human approved in this account.',
    flags: [whichProfile],
    operands: { kind: 'none' },
    group: 'setup',
    run: async (args, io) => (await load()).profileRules(args, io),
  };
}
