// The commands of `lockfile` beside its actions. Each body is loaded when it is asked for (later/*.ts), so that an
// agent's command starts without any of it.
import { listFlag, lockCommands, switchFlag, textFlag, type Command } from '@lockkit/cli';
import { lockfileContract } from './contract/lockfile-contract.js';

const pluginInstall: Command = {
  words: ['plugin', 'install'],
  summary: 'install plugins into the console’s account',
  description:
    'Copies each DIR (plugin.toml and plugin, a static program) into the account’s data folder and into its index.\n' +
    'A running console offers them after its next start. A folder of your own is shown as unofficial.',
  flags: [switchFlag('official', 'also those that come with this program')],
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
  flags: [textFlag('inputs', 'JSON', 'the typed values of a plugin with inputs: {"needle":"…"}')],
  operands: { kind: 'many', name: 'DIR|BINARY FILE' },
  examples: ['lockfile plugin test ./my-plugin fixtures/*', 'lockfile plugin test ./my-plugin --json a.pdf'],
  group: 'author',
  run: async (args, io) => (await import('./later/plugin-test.js')).runPluginTest(args, io),
};

export const lockfileCommands: readonly Command[] = lockCommands({
  contract: lockfileContract,
  console: {
    summary: 'hold the files and decide: the human’s side, in its own account',
    description:
      'Starts the console of one profile in this terminal: tries the sandbox, shows the policy, verifies the plugins,\n' +
      'then serves the agent’s socket until :quit, the idle timeout or the maximum session. With --hub tickets are\n' +
      'decided through the hub instead of here.',
  },
  profileAdd: {
    flags: [
      textFlag('source', 'local|s3|sftp', 'where the files are'),
      textFlag('root', 'DIR', 'with --source local: an absolute directory of the console’s account'),
      textFlag('prefix', 'TEXT', 'what every key begins with'),
      listFlag('plugin', 'X', 'only these plugins (repeat)', 'plugins'),
      textFlag('credentials', 'none|ask|vault', 'where the source’s credentials come from'),
      textFlag('vault-path', 'P', 'with --credentials vault'),
      switchFlag('production', 'production data: stricter everywhere'),
    ],
    examples: [
      'lockfile profile add --profile samples --source local --root /srv/samples --prefix invoices/',
    ],
  },
  own: [pluginInstall, pluginTest],
  load: {
    setup: async () => (await import('./later/setup.js')).lockfileSetup,
    console: async () => (await import('./later/console.js')).runConsoleCommand,
    mcp: async () => (await import('./later/mcp.js')).runMcp,
  },
});
