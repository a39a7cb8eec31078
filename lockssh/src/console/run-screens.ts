// The screens of lockssh's tickets: what the human reads before a command runs. Data only; the console adds who
// asks and the question. Every word that an agent or a file chose is untrusted text.
import { argvText, untrusted, type Line, type Screen } from 'lockkit/approval';
import type { Need } from 'lockkit/console';
import type { SshPolicy } from '../contract/profile.js';
import type { RunDecision } from './decide-run.js';

const TITLES = {
  connect: 'open the SSH session',
  run: 'an allowed command',
  exec: 'a command outside the rules',
  unmask: 'output in clear',
} as const;

function isTitled(kind: string): kind is keyof typeof TITLES {
  return Object.hasOwn(TITLES, kind);
}

function reasonsFor(decision: RunDecision, asked: readonly Need[]): readonly Line[] {
  const kinds = new Set(asked.map(({ kind }) => kind));
  const lines: Line[] = [];
  if (kinds.has('connect'))
    lines.push(['the first request of this SSH session, or since the policy was approved']);
  if (decision.rule === undefined) lines.push(['no allow rule matches this command']);
  else lines.push(['allowed by   ', untrusted(decision.rule)]);
  return lines;
}

export function targetText(policy: SshPolicy): Line {
  return [untrusted(`${policy.user}@${policy.host}`), policy.port === 22 ? '' : ` port ${policy.port}`];
}

export function runScreen(
  profile: string,
  policy: SshPolicy,
  decision: RunDecision,
  asked: readonly Need[],
): Screen {
  const titles = asked.flatMap(({ kind }) => (isTitled(kind) ? [TITLES[kind]] : []));
  const production = policy.production ? ' · PRODUCTION' : '';
  return {
    title: [untrusted(profile.toUpperCase()), ` · ${titles.join(' and ')}${production}`],
    origin: [],
    sections: [
      {
        kind: 'facts',
        facts: [
          { label: 'server', value: targetText(policy) },
          { label: 'command', value: [argvText(decision.argv)] },
        ],
      },
      { kind: 'lines', lines: reasonsFor(decision, asked) },
    ],
    warnings: decision.unmask ? [['the agent will read this output in clear: nothing of it is masked']] : [],
  };
}

export function clearResultScreen(
  profile: string,
  decision: RunDecision,
  stdout: string,
  stderr: string,
): Screen {
  return {
    title: [untrusted(profile.toUpperCase()), ' · clear result, shown here only'],
    origin: [],
    sections: [
      { kind: 'lines', lines: [[argvText(decision.argv)]] },
      { kind: 'text', text: untrusted(stdout) },
      ...(stderr === '' ? [] : [{ kind: 'text' as const, text: untrusted(stderr) }]),
    ],
    warnings: [],
  };
}

export function hostKeyScreen(profile: string, policy: SshPolicy, type: string, fingerprint: string): Screen {
  const last = fingerprint.slice(-8);
  return {
    title: [untrusted(profile.toUpperCase()), ' · a host key never seen before'],
    origin: [],
    sections: [
      {
        kind: 'facts',
        facts: [
          { label: 'server', value: targetText(policy) },
          { label: 'type', value: [untrusted(type)] },
          { label: 'key', value: [untrusted(fingerprint)] },
        ],
      },
      {
        kind: 'lines',
        lines: [['compare it with the fingerprint that the server’s administrator gave you']],
      },
    ],
    warnings: [],
    question: policy.production
      ? {
          kind: 'typed',
          prompt: ['PRODUCTION: type the last 8 characters of the key’s fingerprint to trust it'],
          expected: last,
        }
      : { kind: 'typed', prompt: ['type yes to trust it from now on'], expected: 'yes' },
  };
}

export function rootLoginScreen(profile: string, policy: SshPolicy): Screen {
  return {
    title: [untrusted(profile.toUpperCase()), ' · this login is root'],
    origin: [],
    sections: [{ kind: 'facts', facts: [{ label: 'server', value: targetText(policy) }] }],
    warnings: [['every allowed command runs as root on that server']],
    question: { kind: 'typed', prompt: ['type continue to go on as root'], expected: 'continue' },
  };
}

export function secretScreen(profile: string, policy: SshPolicy, desktopLevel: 1 | 2 | 3): Screen {
  const what = policy.auth === 'password' ? 'SSH password' : 'passphrase of the key';
  const warnings: Line[] =
    desktopLevel === 3 ? [] : [['at this desktop level the agent’s account may read what is typed here']];
  return {
    title: [untrusted(profile.toUpperCase()), ` · the ${what}`],
    origin: [],
    sections: [
      {
        kind: 'facts',
        facts: [
          { label: 'server', value: targetText(policy) },
          ...(policy.auth === 'key' ? [{ label: 'key', value: [untrusted(policy.key)] }] : []),
        ],
      },
    ],
    warnings,
    question: { kind: 'secret', prompt: [what], maxBytes: 1024 },
  };
}
