// The commands of `lockssh` beside its actions. Each body is loaded when it is asked for (later/*.ts), so that an
// agent's command starts without any of it.
import { listFlag, lockCommands, numberFlag, switchFlag, textFlag, type Command } from '@lockkit/cli';
import { ALL_DETECTORS, DEFAULT_DETECTORS } from 'lockkit/detectors';
import { locksshContract } from './contract/lockssh-contract.js';

const matchCommand: Command = {
  words: ['policy', 'match'],
  summary: 'does a rule allow an argv, and if not, why',
  description:
    'Tries an argv against the rules given with --rule, as the console would. Exit 0: a rule allows it. Exit 1: none does.',
  flags: [listFlag('rule', 'RULE', 'an allow rule (repeat for several)')],
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
    textFlag('profile', 'P', 'which profile, when the file holds several'),
    textFlag('file', 'FILE', 'the policy file (default: the project’s)'),
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
    textFlag(
      'detectors',
      'a,b,…',
      `which of ${ALL_DETECTORS.join(', ')} (default: ${DEFAULT_DETECTORS.join(', ')})`,
    ),
    switchFlag('stats', 'counts by kind and speed, beside the text'),
    switchFlag('explain', 'what was found where and why, instead of the text; for human eyes'),
  ],
  operands: { kind: 'none' },
  examples: ['journalctl -n 100 | lockssh mask', 'lockssh mask --detectors email,secret < app.log'],
  group: 'author',
  run: async (args, io) => (await import('./later/mask.js')).runMask(args, io),
};

export const locksshCommands: readonly Command[] = lockCommands({
  contract: locksshContract,
  console: {
    summary: 'hold the key and decide: the human’s side, in its own account',
    description:
      'Starts the console of one profile: shows the policy, asks the secret, logs in, checks the host key, then serves\n' +
      'the agent’s socket until :quit, logout, the idle timeout or the maximum session. Tickets are decided through a\n' +
      'hub: `lox run` starts the console with its own. Without --hub and --hub-key-file it does not start (exit 3).',
    flags: [switchFlag('allow-unmask', 'let the agent ask for clear output; you decide each time')],
  },
  profileAdd: {
    flags: [
      textFlag('host', 'HOST', 'the SSH host, a name or an address'),
      numberFlag('port', 'N', 'its port (default 22)'),
      textFlag('user', 'USER', 'the SSH login'),
      textFlag('auth', 'key|password', 'how to log in (default key)'),
      textFlag('key', 'FILE', 'the private key, in the console’s account'),
      textFlag('known-hosts', 'FILE', 'a known_hosts file that must hold the host’s key'),
      textFlag('credentials', 'none|ask|vault', 'where the passphrase or password comes from'),
      textFlag('vault-path', 'P', 'with --credentials vault'),
      listFlag('allow', 'RULE', 'an allow rule (repeat for several)'),
      switchFlag('production', 'a production server: stricter everywhere'),
      switchFlag('exec', 'let the agent ask for commands outside the rules'),
    ],
    examples: [
      "lockssh profile add --profile web --host web1.example.com --user deploy --allow 'systemctl status *'",
    ],
  },
  own: [matchCommand, explainCommand, maskCommand],
  load: {
    setup: async () => (await import('./later/setup.js')).locksshSetup,
    console: async () => (await import('./later/console.js')).runConsoleCommand,
    mcp: async () => (await import('./later/mcp.js')).runMcp,
  },
});
