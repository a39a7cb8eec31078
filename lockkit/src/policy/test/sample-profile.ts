// A profile with one field of every order, and policies of it at random: what the laws are tried on.
import * as fc from 'fast-check';
import { RE2 } from 're2';
import { duration } from '../fields/duration.js';
import { hostName } from '../fields/host.js';
import { allowRules, wordSet } from '../fields/list.js';
import { choice, flag, wholeNumber } from '../fields/number.js';
import { field } from '../field.js';
import { languageAsWritten, normalLanguage } from '../language.js';
import { identity, larger, more, off, on, smaller, stricter, towards } from '../orders.js';
import { defineProfile, type PolicyOf } from '../profile.js';
import { sortedSet } from '../sets.js';

type Auto = 'deny' | 'ask' | 'auto';
type Credentials = 'none' | 'ask' | 'vault';

export const sampleProfile = defineProfile({
  lock: 'sample',
  piiKinds: ['email', 'ip', 'secret'],
  fields: {
    host: field(hostName, { heading: 'Target', order: identity<string>(), target: true }),
    credentials: field(choice<Credentials>(['none', 'ask', 'vault']), {
      heading: 'Target',
      order: towards<Credentials>('ask'),
      default: 'none',
    }),
    production: field(flag, { heading: 'Commands', order: on, default: false }),
    exec: field(flag, { heading: 'Commands', order: off, default: false }),
    allow: field(
      allowRules((rule) => (rule === '' ? { message: 'a rule is not empty', column: 1 } : null), 20),
      {
        heading: 'Commands',
        order: languageAsWritten,
        default: [[]],
        remarks: (language) =>
          language.flat().includes('find **') ? [{ subject: 'find **', message: 'runs other programs' }] : [],
      },
    ),
    detectors: field(wordSet(['email', 'ip', 'secret']), {
      heading: 'Output',
      order: more(),
      default: ['email', 'ip', 'secret'],
    }),
  },
  groups: {
    limits: {
      fields: {
        timeout: field(duration(1, 600_000), { heading: 'Limits', order: smaller, default: 30_000 }),
        quantum: field(duration(250, 60_000), { heading: 'Limits', order: larger, default: 1_000 }),
        bytes: field(wholeNumber(1, 1024), { heading: 'Limits', order: smaller, default: 512 }),
      },
    },
    auto: {
      fields: {
        run: field(choice<Auto>(['deny', 'ask', 'auto']), {
          heading: 'Auto rules',
          order: stricter<Auto>(['deny', 'ask', 'auto']),
          default: 'ask',
        }),
      },
      shorthands: { 'full-auto': { run: 'auto' } },
    },
  },
  checks: ({ production, auto }) =>
    production && auto.run === 'auto' ? [{ path: ['auto'], message: 'never auto on production' }] : [],
});

export type SamplePolicy = PolicyOf<typeof sampleProfile>;

export const checkPattern = (pattern: string): string | null => {
  try {
    return new RE2(pattern, 'u').test('') ? 'must not match the empty text' : null;
  } catch {
    return 'is not a pattern of RE2';
  }
};

const set = <T>(words: readonly T[]): fc.Arbitrary<readonly T[]> =>
  fc.subarray([...words]).map((some) => sortedSet(some));

/** Small value spaces, so that equal, tighter, looser and incomparable pairs are all common. */
export const samplePolicies: fc.Arbitrary<SamplePolicy> = fc
  .record({
    host: fc.constantFrom('a', 'b'),
    credentials: fc.constantFrom<Credentials>('none', 'ask', 'vault'),
    production: fc.boolean(),
    exec: fc.boolean(),
    allow: fc
      .array(fc.subarray(['uptime', 'df -h', 'ls *', 'find **']), { minLength: 1, maxLength: 2 })
      .map(normalLanguage),
    detectors: set(['email', 'ip', 'secret'] as const),
    limits: fc.record({
      timeout: fc.constantFrom(1, 30_000, 600_000),
      quantum: fc.constantFrom(250, 1_000, 60_000),
      bytes: fc.constantFrom(1, 512, 1024),
    }),
    auto: fc.record({ run: fc.constantFrom<Auto>('deny', 'ask', 'auto') }),
    pii: fc.record({
      mask: set(['cust-[0-9]+', 'x+']),
      allow: set([
        { kind: 'email', value: 'a@b.c' },
        { kind: 'ip', value: '::1' },
      ]),
    }),
  })
  .filter(({ production, auto }) => !(production && auto.run === 'auto'));

/** As a file could say it: one rule set. */
export const samplePolicyFiles = samplePolicies.map((policy) => ({
  ...policy,
  allow: policy.allow.slice(0, 1),
}));
