// The commands of `lockfile` that need no console, and those that start one. Each body is loaded when it is asked
// for (later/*.ts), so that an agent's command starts without any of it.
import { policyCommands, setupCommands, versionCommand, type Command } from '@lockkit/cli';
import type { Flag } from 'lockkit/contract';
import { lockfileContract } from './contract/lockfile-contract.js';

const text = (name: string, placeholder: string, summary: string): Flag => ({
  name,
  param: name.replaceAll('-', '_'),
  kind: 'text',
  placeholder,
  summary,
});
const flag = (name: string, summary: string): Flag => ({
  name,
  param: name.replaceAll('-', '_'),
  kind: 'boolean',
  summary,
});
const profile = (summary: string): Flag => text('profile', 'P', summary);

const consoleCommand: Command = {
  words: ['console'],
  summary: 'hold the files and decide: the human’s side, in its own account',
  description:
    'Starts the console of one profile in this terminal: tries the sandbox, shows the policy, verifies the plugins,\n' +
    'then serves the agent’s socket until :quit, the idle timeout or the maximum session.',
  flags: [
    profile('which profile, when several are configured'),
    text('project', 'DIR', 'the project’s folder (default: here)'),
    text('instance', 'NAME', 'a name, when several consoles hold one profile'),
    text('hub', 'URL', 'decide through this hub instead of here; then no start without it'),
    text('hub-key-file', 'FILE', 'the key file for that hub: only root or this account may write it'),
    flag('show-results', 'show answers and details here from the start'),
    text('allowed-uids', 'UID,...', 'accounts that may connect beside the clients’ group'),
    flag('plain', 'plain text instead of the window (for screen readers; pipes get it anyway)'),
    flag(
      'window-pipe',
      'the window is at the other end of standard input and output: lox starts consoles so',
    ),
  ],
  operands: { kind: 'none' },
  group: 'human',
  run: async (args, io) => (await import('./later/console.js')).runConsoleCommand(args, io),
};

const pluginInstall: Command = {
  words: ['plugin', 'install'],
  summary: 'install plugins into the console’s account',
  description:
    'Copies each DIR (plugin.toml and plugin, a static program) into the account’s data folder and into its index.\n' +
    'A running console offers them after its next start. A folder of your own is shown as unofficial.',
  flags: [flag('official', 'also those that come with this program')],
  operands: { kind: 'many', name: 'DIR', optional: true },
  examples: ['lockfile plugin install --official', 'lockfile plugin install ./my-plugin'],
  group: 'setup',
  run: async (args, io) => (await import('./later/plugin-install.js')).runPluginInstall(args, io),
};

const pluginTest: Command = {
  words: ['plugin', 'test'],
  summary: 'run a plugin on fixtures, in the console’s sandbox',
  description:
    'For plugin authors: runs DIR (plugin.toml and plugin) or BINARY on each FILE and prints the answer, or the cause\n' +
    'why there is none. It asks no console and touches no profile. Exit 0: every file got an answer.',
  flags: [text('inputs', 'JSON', 'the typed values of a plugin with inputs: {"needle":"…"}')],
  operands: { kind: 'many', name: 'DIR|BINARY FILE' },
  examples: ['lockfile plugin test ./my-plugin fixtures/*', 'lockfile plugin test ./my-plugin --json a.pdf'],
  group: 'author',
  run: async (args, io) => (await import('./later/plugin-test.js')).runPluginTest(args, io),
};

const profileAdd: Command = {
  words: ['profile', 'add'],
  summary: 'add a profile to the project’s policy file; never rewrites one',
  description:
    'Writes [profiles.NAME] at the end of .lockfile/config.toml. It never takes, asks for or writes a secret;\n' +
    'an existing profile is left as it is (status: exists).',
  flags: [
    text('profile', 'NAME', 'the profile’s name'),
    text('source', 'local|s3|sftp', 'where the files are'),
    text('root', 'DIR', 'with --source local: an absolute directory of the console’s account'),
    text('prefix', 'TEXT', 'what every key begins with'),
    {
      name: 'plugin',
      param: 'plugins',
      kind: 'list',
      placeholder: 'X',
      summary: 'only these plugins (repeat)',
    },
    text('credentials', 'none|ask|vault', 'where the source’s credentials come from'),
    text('vault-path', 'P', 'with --credentials vault'),
    flag('production', 'production data: stricter everywhere'),
    flag('non-interactive', 'ask nothing (nothing is ever asked; launchers pass it)'),
  ],
  operands: { kind: 'none' },
  examples: ['lockfile profile add --profile samples --source local --root /srv/samples --prefix invoices/'],
  group: 'setup',
  run: async (args, io) => (await import('./later/profile-add.js')).runProfileAdd(args, io),
};

const profileRules: Command = {
  words: ['profile', 'rules'],
  summary: 'the auto rules of the approved policy, for launchers',
  description:
    'Prints what a launcher may decide by rule, from the policy that the human approved in this account.',
  flags: [profile('which profile')],
  operands: { kind: 'none' },
  group: 'setup',
  run: async (args, io) => (await import('./later/profile-rules.js')).runProfileRules(args, io),
};

const audit = (
  verb: 'verify' | 'show',
  summary: string,
  description: string,
  flags: readonly Flag[],
): Command => ({
  words: ['audit', verb],
  summary,
  description,
  flags: [profile('which profile'), ...flags],
  operands: { kind: 'none' },
  group: 'human',
  run: async (args, io) => (await import('./later/audit.js')).runAudit(verb, args, io),
});

const mcp: Command = {
  words: ['mcp'],
  summary: 'the MCP server on standard input and output',
  description: 'Serves the agent’s actions as MCP tools. Coding agents start it; `init` wires it.',
  flags: [],
  operands: { kind: 'none' },
  group: 'agent',
  run: async () => (await import('./later/mcp.js')).runMcp(),
};

export const lockfileCommands: readonly Command[] = [
  mcp,
  consoleCommand,
  audit(
    'verify',
    'check the audit log’s chain and checkpoints',
    'Checks every record, the hash chain and the signed checkpoints; given an earlier checkpoint, also that nothing\nof what it saw is gone. Exit 0: intact. Exit 1: broken, with the place.',
    [text('checkpoint', 'FILE', 'an earlier checkpoint that the log must still hold')],
  ),
  audit(
    'show',
    'the audit log as lines',
    'Prints the records, oldest first: who asked, what was decided, what ran, how it ended.',
    [],
  ),
  ...policyCommands({
    exitCodes: lockfileContract.exitCodes,
    load: async () => (await import('./later/policy-parts.js')).lockfilePolicy,
  }),
  pluginInstall,
  pluginTest,
  profileAdd,
  profileRules,
  ...setupCommands(lockfileContract.name, {
    install: async (args, io) => (await import('./later/install.js')).runInstall(args, io),
    doctor: async (args, io) => (await import('./later/doctor.js')).runDoctor(args, io),
    init: async (args, io) => (await import('./later/init.js')).runInit(args, io),
  }),
  versionCommand(lockfileContract),
];
