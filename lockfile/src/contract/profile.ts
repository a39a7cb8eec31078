// The profile of lockfile (docs/decisions.md, "lockfile profile"): every key with its default, its ceiling and its
// order. Read by both sides; it must never reach a source, a plugin or a file.
import {
  choice,
  defineProfile,
  duration,
  extending,
  field,
  flag,
  identity,
  larger,
  on,
  smaller,
  someOf,
  stricter,
  towards,
  visibleText,
  wholeNumber,
  type CrossMistake,
  type PolicyOf,
} from 'lockkit/policy';
import { pluginNames, remarksOnPrefix, sourceKeyPrefix } from './profile-values.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

export const PROFILE_LIMITS = {
  maxObjectBytes: { default: 67_108_864, ceiling: 4_294_967_296 },
  maxPluginsPerHandle: { default: 8, ceiling: 64 },
  answerQuantumMs: { default: SECOND, floor: 250, ceiling: 60 * SECOND },
  idleTimeoutMs: { default: 20 * MINUTE, ceiling: 168 * HOUR },
  maxSessionMs: { default: 4 * HOUR, ceiling: 168 * HOUR },
} as const;

type Source = 'local' | 's3' | 'sftp';
type Credentials = 'none' | 'ask' | 'keychain' | 'vault';
export type PlanRule = 'deny' | 'ask' | 'auto';

const source = { heading: 'Source', order: identity<never>(), target: true } as const;
const limits = { heading: 'Limits', order: smaller } as const;

export const fileProfile = defineProfile({
  lock: 'lockfile',
  fields: {
    source: field(choice<Source>(['local', 's3', 'sftp']), source),
    root: field(visibleText('an absolute path of the console’s account', { empty: true }), {
      ...source,
      default: '',
    }),
    prefix: field(sourceKeyPrefix, {
      heading: 'Source',
      order: extending,
      default: '',
      remarks: remarksOnPrefix,
    }),
    credentials: field(choice<Credentials>(['none', 'ask', 'keychain', 'vault']), {
      heading: 'Source',
      order: towards<Credentials>('ask'),
      target: true,
      default: 'none',
    }),
    vault_path: field(visibleText('a path in Vault', { empty: true }), { ...source, default: '' }),
    production: field(flag, { heading: 'Questions', order: on, default: false }),
    plugins: field(pluginNames, { heading: 'Questions', order: someOf, default: 'all' }),
  },
  groups: {
    limits: {
      fields: {
        max_object_bytes: field(wholeNumber(1, PROFILE_LIMITS.maxObjectBytes.ceiling), {
          ...limits,
          default: PROFILE_LIMITS.maxObjectBytes.default,
        }),
        max_plugins_per_handle: field(wholeNumber(1, PROFILE_LIMITS.maxPluginsPerHandle.ceiling), {
          ...limits,
          default: PROFILE_LIMITS.maxPluginsPerHandle.default,
        }),
        answer_quantum: field(
          duration(PROFILE_LIMITS.answerQuantumMs.floor, PROFILE_LIMITS.answerQuantumMs.ceiling),
          { heading: 'Limits', order: larger, default: PROFILE_LIMITS.answerQuantumMs.default },
        ),
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
        plan: field(choice<PlanRule>(['ask', 'auto', 'deny']), {
          heading: 'Auto rules',
          order: stricter<PlanRule>(['deny', 'ask', 'auto']),
          default: 'ask',
        }),
      },
      shorthands: { 'full-auto': { plan: 'auto' } },
    },
  },
  checks: (policy) => checkTogether(policy),
});

/** A policy of lockfile: limits in bytes and milliseconds, `plugins` "all" or names. */
export type FilePolicy = PolicyOf<typeof fileProfile>;

interface Together {
  readonly source: string;
  readonly root: string;
  readonly credentials: string;
  readonly vault_path: string;
  readonly production: boolean;
  readonly auto: { readonly plan: string };
}

/** What must hold between the keys. */
function checkTogether(policy: Together): readonly CrossMistake[] {
  const mistakes: CrossMistake[] = [];
  const mistake = (path: string, message: string): void => void mistakes.push({ path: [path], message });
  if (policy.production && policy.auto.plan === 'auto')
    mistake('auto', 'on production every plan is a human’s decision: plan must be "ask" or "deny"');
  if (policy.source === 'local' && !policy.root.startsWith('/'))
    mistake('root', 'source = "local" needs root, an absolute directory');
  if (policy.source !== 'local' && policy.root !== '') mistake('root', 'root belongs to source = "local"');
  if (policy.source === 'local' && policy.credentials !== 'none')
    mistake('credentials', 'a local directory needs no credentials');
  if (policy.credentials === 'vault' && policy.vault_path === '')
    mistake('vault_path', 'credentials = "vault" needs a vault_path');
  if (policy.credentials !== 'vault' && policy.vault_path !== '')
    mistake('vault_path', 'a vault_path has no use without credentials = "vault"');
  return mistakes;
}
