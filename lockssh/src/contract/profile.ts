// The profile of lockssh (using lockssh, "Profiles" and "Auto rules"): every key of the page with its default, its
// ceiling and its order. Read by both sides; it must never reach a connection, a secret or a pattern engine.
import { ALL_DETECTORS, DEFAULT_DETECTORS, type DetectorName } from 'lockkit/detectors';
import {
  allowRules,
  choice,
  defineProfile,
  duration,
  field,
  filePath,
  flag,
  hostName,
  identity,
  loginName,
  more,
  off,
  on,
  smaller,
  stricter,
  towards,
  visibleText,
  wholeNumber,
  wordSet,
  type CrossMistake,
  type PolicyOf,
} from 'lockkit/policy';
import { checkAllowRule, remarksOnRules } from './allow-field.js';
import { allowOrder } from '../rules/language/allow-order.js';
import { PII_KINDS } from './detector-kinds.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Ceilings of the page where it names one; the session’s are ours, below what a timer can hold. */
export const PROFILE_LIMITS = {
  /** A comparison of that many takes about a second; nobody reviews more. */
  maxRules: 2_000,
  requestTimeoutMs: { default: 30 * SECOND, ceiling: 10 * MINUTE },
  maxOutputBytes: { default: 65_536, ceiling: 524_288 },
  idleTimeoutMs: { default: 20 * MINUTE, ceiling: 168 * HOUR },
  maxSessionMs: { default: 4 * HOUR, ceiling: 168 * HOUR },
} as const;

export const AUTO_ACTIONS = ['deny', 'ask', 'auto'] as const;
export type AutoAction = (typeof AUTO_ACTIONS)[number];

const target = { heading: 'Target', order: identity<never>(), target: true } as const;
const commands = { heading: 'Commands' } as const;
const limits = { heading: 'Limits', order: smaller } as const;
const auto = { heading: 'Auto rules', order: stricter<AutoAction>(AUTO_ACTIONS) } as const;

/** A password has no file, so `key` is empty with it; a key's default file is ssh's own. */
const defaultKey = ({ auth: kind }: Readonly<Record<string, unknown>>): string =>
  kind === 'password' ? '' : '~/.ssh/id_ed25519';

type Credentials = 'none' | 'ask' | 'keychain' | 'vault';
const defaultCredentials = ({ auth: kind }: Readonly<Record<string, unknown>>): Credentials =>
  kind === 'password' ? 'ask' : 'none';

export const sshProfile = defineProfile({
  lock: 'lockssh',
  piiKinds: PII_KINDS,
  fields: {
    host: field(hostName, target),
    port: field(wholeNumber(1, 65_535), { ...target, default: 22 }),
    user: field(loginName, target),
    auth: field(choice<'key' | 'password'>(['key', 'password']), { ...target, default: 'key' }),
    key: field(filePath({ empty: true }), { ...target, default: defaultKey }),
    credentials: field(choice<Credentials>(['none', 'ask', 'keychain', 'vault']), {
      heading: 'Target',
      order: towards<Credentials>('ask'),
      target: true,
      default: defaultCredentials,
    }),
    vault_path: field(visibleText('a path in Vault', { empty: true }), { ...target, default: '' }),
    known_hosts: field(filePath({ empty: true }), { ...target, default: '' }),
    production: field(flag, { ...commands, order: on, default: false }),
    exec: field(flag, { ...commands, order: off, default: false }),
    allow: field(allowRules(checkAllowRule, PROFILE_LIMITS.maxRules), {
      ...commands,
      order: allowOrder,
      default: [[]],
      remarks: remarksOnRules,
    }),
    detectors: field(wordSet(ALL_DETECTORS), {
      heading: 'Output',
      order: more<DetectorName>(),
      default: DEFAULT_DETECTORS,
    }),
  },
  groups: {
    limits: {
      fields: {
        request_timeout: field(duration(1, PROFILE_LIMITS.requestTimeoutMs.ceiling), {
          ...limits,
          default: PROFILE_LIMITS.requestTimeoutMs.default,
        }),
        max_output_bytes: field(wholeNumber(1, PROFILE_LIMITS.maxOutputBytes.ceiling), {
          ...limits,
          default: PROFILE_LIMITS.maxOutputBytes.default,
        }),
        idle_timeout: field(duration(1, PROFILE_LIMITS.idleTimeoutMs.ceiling), {
          ...limits,
          default: PROFILE_LIMITS.idleTimeoutMs.default,
        }),
        max_session: field(duration(1, PROFILE_LIMITS.maxSessionMs.ceiling), {
          ...limits,
          default: PROFILE_LIMITS.maxSessionMs.default,
        }),
      },
    },
    auto: {
      fields: {
        connect: field(choice<AutoAction>(['auto', 'ask', 'deny']), { ...auto, default: 'ask' }),
        run: field(choice<AutoAction>(['auto', 'ask', 'deny']), { ...auto, default: 'auto' }),
        exec: field(choice<AutoAction>(['auto', 'ask', 'deny']), { ...auto, default: 'ask' }),
        // Clear output is never decided by a rule: there is no "auto" for it, not even through "full-auto".
        unmask: field(choice<'ask' | 'deny'>(['ask', 'deny']), {
          heading: 'Auto rules',
          order: stricter<'ask' | 'deny'>(['deny', 'ask']),
          default: 'ask',
        }),
      },
      shorthands: { 'full-auto': { connect: 'auto', run: 'auto', exec: 'auto' } },
    },
  },
  checks: (policy) => checkTogether(policy),
});

/** A policy of lockssh: limits in milliseconds and bytes, `allow` as a conjunction of rule sets. */
export type SshPolicy = PolicyOf<typeof sshProfile>;

interface Together {
  readonly auth: string;
  readonly key: string;
  readonly credentials: string;
  readonly vault_path: string;
  readonly production: boolean;
  readonly auto: { readonly exec: string };
}

/** What must hold between the keys. */
function checkTogether(policy: Together): readonly CrossMistake[] {
  const mistakes: CrossMistake[] = [];
  const mistake = (path: readonly string[], message: string): void => void mistakes.push({ path, message });
  if (policy.production && policy.auto.exec === 'auto')
    mistake(
      ['auto'],
      'on production a command outside allow is always a human’s decision: exec must be "ask" or "deny"',
    );
  if (policy.auth === 'password' && policy.credentials === 'none')
    mistake(['credentials'], 'a password login needs "ask", "keychain" or "vault"');
  if (policy.auth === 'password' && policy.key !== '')
    mistake(['key'], 'a key has no use with auth = "password"');
  if (policy.auth === 'key' && policy.key === '') mistake(['key'], 'auth = "key" needs the path of a key');
  if (policy.credentials === 'vault' && policy.vault_path === '')
    mistake(['vault_path'], 'credentials = "vault" needs a vault_path');
  return mistakes;
}
