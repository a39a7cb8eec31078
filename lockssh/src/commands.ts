// The commands of `lockssh` that need no console, and those that start one. Each body is loaded when it is asked
// for (later/*.ts), so that an agent's command starts without any of it.
import { policyCommands, setupCommands, versionCommand, type Command } from '@lockkit/cli';
import { ALL_DETECTORS, DEFAULT_DETECTORS } from 'lockkit/detectors';
import { locksshContract } from './contract/lockssh-contract.js';

const consoleCommand: Command = {
  words: ['console'],
  summary: 'hold the key and decide: the human’s side, in its own account',
  description:
    'Starts the console of one profile: shows the policy, asks the secret, logs in, checks the host key, then serves\n' +
    'the agent’s socket until :quit, logout, the idle timeout or the maximum session. Tickets are decided through a\n' +
    'hub: `lox run` starts the console with its own. Without --hub and --hub-key-file it does not start (exit 3).',
  flags: [
    {
      name: 'profile',
      param: 'profile',
      kind: 'text',
      placeholder: 'P',
      summary: 'which profile, when several are configured',
    },
    {
      name: 'project',
      param: 'project',
      kind: 'text',
      placeholder: 'DIR',
      summary: 'the project’s folder (default: here)',
    },
    {
      name: 'instance',
      param: 'instance',
      kind: 'text',
      placeholder: 'NAME',
      summary: 'a name, when several consoles hold one profile',
    },
    {
      name: 'allow-unmask',
      param: 'allow_unmask',
      kind: 'boolean',
      summary: 'let the agent ask for clear output; you decide each time',
    },
    {
      name: 'hub',
      param: 'hub',
      kind: 'text',
      placeholder: 'URL',
      summary: 'the hub where tickets are decided; required (lox run passes its own)',
    },
    {
      name: 'hub-key-file',
      param: 'hub_key_file',
      kind: 'text',
      placeholder: 'FILE',
      summary: 'the key file for that hub: only root or this account may write it',
    },
    {
      name: 'show-results',
      param: 'show_results',
      kind: 'boolean',
      summary: 'show clear results here from the start',
    },
    {
      name: 'allowed-uids',
      param: 'allowed_uids',
      kind: 'text',
      placeholder: 'UID,...',
      summary: 'accounts that may connect beside the clients’ group',
    },
    {
      name: 'plain',
      param: 'plain',
      kind: 'boolean',
      summary: 'plain text instead of the window (for screen readers; pipes get it anyway)',
    },
    {
      name: 'window-pipe',
      param: 'window_pipe',
      kind: 'boolean',
      summary: 'the window is at the other end of standard input and output: lox starts consoles so',
    },
  ],
  operands: { kind: 'none' },
  group: 'human',
  run: async (args, io) => (await import('./later/console.js')).runConsoleCommand(args, io),
};

const matchCommand: Command = {
  words: ['policy', 'match'],
  summary: 'does a rule allow an argv, and if not, why',
  description:
    'Tries an argv against the rules given with --rule, as the console would. Exit 0: a rule allows it. Exit 1: none does.',
  flags: [
    {
      name: 'rule',
      param: 'rule',
      kind: 'list',
      placeholder: 'RULE',
      summary: 'an allow rule (repeat for several)',
    },
  ],
  operands: { kind: 'argv', param: 'argv', name: 'PROGRAM' },
  examples: ["lockssh policy match --rule 'systemctl status *' -- systemctl status nginx"],
  group: 'author',
  run: async (args, io) => (await import('./later/policy-match.js')).runPolicyMatch(args, io),
};

const explainCommand: Command = {
  words: ['policy', 'explain'],
  summary: 'which rule of this project’s policy allows an argv, or where the nearest one parts',
  description:
    'Reads the policy file of the project (or --file) and explains what would happen to an argv. It asks no console.',
  flags: [
    {
      name: 'profile',
      param: 'profile',
      kind: 'text',
      placeholder: 'P',
      summary: 'which profile, when the file holds several',
    },
    {
      name: 'file',
      param: 'file',
      kind: 'text',
      placeholder: 'FILE',
      summary: 'the policy file (default: the project’s)',
    },
  ],
  operands: { kind: 'argv', param: 'argv', name: 'PROGRAM' },
  group: 'author',
  run: async (args, io) => (await import('./later/policy-explain.js')).runPolicyExplain(args, io),
};

const maskCommand: Command = {
  words: ['mask'],
  summary: 'mask standard input as output would be masked',
  description:
    'Reads text on standard input, of any length, and writes it masked; lines stay lines.\n' +
    'With --json: {text, masked: {kind: count}}; with --explain --json: {explanations: [...]}.',
  flags: [
    {
      name: 'detectors',
      param: 'detectors',
      kind: 'text',
      placeholder: 'a,b,…',
      summary: `which of ${ALL_DETECTORS.join(', ')} (default: ${DEFAULT_DETECTORS.join(', ')})`,
    },
    { name: 'stats', param: 'stats', kind: 'boolean', summary: 'counts by kind and speed, beside the text' },
    {
      name: 'explain',
      param: 'explain',
      kind: 'boolean',
      summary: 'what was found where and why, instead of the text; for human eyes',
    },
  ],
  operands: { kind: 'none' },
  examples: ['journalctl -n 100 | lockssh mask', 'lockssh mask --detectors email,secret < app.log'],
  group: 'author',
  run: async (args, io) => (await import('./later/mask.js')).runMask(args, io),
};

const profileAddCommand: Command = {
  words: ['profile', 'add'],
  summary: 'add a profile to the project’s policy file; never rewrites one',
  description:
    'Writes [profiles.NAME] at the end of .lockssh/config.toml. It never takes, asks for or writes a secret;\nan existing profile is left as it is (status: exists).',
  flags: [
    { name: 'profile', param: 'profile', kind: 'text', placeholder: 'NAME', summary: 'the profile’s name' },
    {
      name: 'host',
      param: 'host',
      kind: 'text',
      placeholder: 'HOST',
      summary: 'the SSH host, a name or an address',
    },
    { name: 'port', param: 'port', kind: 'text', placeholder: 'N', summary: 'its port (default 22)' },
    { name: 'user', param: 'user', kind: 'text', placeholder: 'USER', summary: 'the SSH login' },
    {
      name: 'auth',
      param: 'auth',
      kind: 'text',
      placeholder: 'key|password',
      summary: 'how to log in (default key)',
    },
    {
      name: 'key',
      param: 'key',
      kind: 'text',
      placeholder: 'FILE',
      summary: 'the private key, in the console’s account',
    },
    {
      name: 'known-hosts',
      param: 'known_hosts',
      kind: 'text',
      placeholder: 'FILE',
      summary: 'a known_hosts file that must hold the host’s key',
    },
    {
      name: 'credentials',
      param: 'credentials',
      kind: 'text',
      placeholder: 'none|ask|vault',
      summary: 'where the passphrase or password comes from',
    },
    {
      name: 'vault-path',
      param: 'vault_path',
      kind: 'text',
      placeholder: 'P',
      summary: 'with --credentials vault',
    },
    {
      name: 'allow',
      param: 'allow',
      kind: 'list',
      placeholder: 'RULE',
      summary: 'an allow rule (repeat for several)',
    },
    {
      name: 'production',
      param: 'production',
      kind: 'boolean',
      summary: 'a production server: stricter everywhere',
    },
    {
      name: 'exec',
      param: 'exec',
      kind: 'boolean',
      summary: 'let the agent ask for commands outside the rules',
    },
    {
      name: 'non-interactive',
      param: 'non_interactive',
      kind: 'boolean',
      summary: 'ask nothing (nothing is ever asked; launchers pass it)',
    },
  ],
  operands: { kind: 'none' },
  examples: [
    "lockssh profile add --profile web --host web1.example.com --user deploy --allow 'systemctl status *'",
  ],
  group: 'setup',
  run: async (args, io) => (await import('./later/profile-add.js')).runProfileAdd(args, io),
};

const profileRulesCommand: Command = {
  words: ['profile', 'rules'],
  summary: 'the auto rules of the approved policy, for launchers',
  description:
    'Prints what a launcher may decide by rule, from the policy that the human approved in this account.',
  flags: [{ name: 'profile', param: 'profile', kind: 'text', placeholder: 'P', summary: 'which profile' }],
  operands: { kind: 'none' },
  group: 'setup',
  run: async (args, io) => (await import('./later/profile-rules.js')).runProfileRules(args, io),
};

const auditCommand = (verb: 'verify' | 'show', summary: string, description: string): Command => ({
  words: ['audit', verb],
  summary,
  description,
  flags: [
    { name: 'profile', param: 'profile', kind: 'text', placeholder: 'P', summary: 'which profile' },
    ...(verb === 'verify'
      ? [
          {
            name: 'checkpoint',
            param: 'checkpoint',
            kind: 'text' as const,
            placeholder: 'FILE',
            summary: 'an earlier checkpoint that the log must still hold',
          },
        ]
      : []),
  ],
  operands: { kind: 'none' },
  group: 'human',
  run: async (args, io) => (await import('./later/audit.js')).runAudit(verb, args, io),
});

const mcpCommand: Command = {
  words: ['mcp'],
  summary: 'the MCP server on standard input and output',
  description: 'Serves the agent’s actions as MCP tools. Coding agents start it; `init` wires it.',
  flags: [],
  operands: { kind: 'none' },
  group: 'agent',
  run: async () => (await import('./later/mcp.js')).runMcp(),
};

export const locksshCommands: readonly Command[] = [
  mcpCommand,
  consoleCommand,
  auditCommand(
    'verify',
    'check the audit log’s chain and checkpoints',
    'Checks every record, the hash chain and the signed checkpoints; given an earlier checkpoint, also that nothing\nof what it saw is gone. Exit 0: intact. Exit 1: broken, with the place.',
  ),
  auditCommand(
    'show',
    'the audit log as lines',
    'Prints the records, oldest first: who asked, what was decided, what ran, how it ended.',
  ),
  ...policyCommands({
    exitCodes: locksshContract.exitCodes,
    load: async () => (await import('./later/policy-parts.js')).locksshPolicy,
  }),
  matchCommand,
  explainCommand,
  maskCommand,
  profileAddCommand,
  profileRulesCommand,
  ...setupCommands(locksshContract.name, {
    install: async (args, io) => (await import('./later/install.js')).runInstall(args, io),
    doctor: async (args, io) => (await import('./later/doctor.js')).runDoctor(args, io),
    init: async (args, io) => (await import('./later/init.js')).runInit(args, io),
  }),
  versionCommand(locksshContract),
];
