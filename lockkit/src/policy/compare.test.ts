import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changesTarget, comparePolicies, verdictOf } from './compare.js';
import { fingerprint } from './fingerprint.js';
import { meetPolicies } from './meet.js';
import { samplePolicies, sampleProfile, type SamplePolicy } from './test/sample-profile.js';

const compare = (before: SamplePolicy, after: SamplePolicy) => comparePolicies(sampleProfile, before, after);
const verdict = (before: SamplePolicy, after: SamplePolicy) => verdictOf(compare(before, after));
const below = (inner: SamplePolicy, outer: SamplePolicy) => verdict(outer, inner) !== 'loosens';
const sample = fc.sample(samplePolicies, { seed: 7, numRuns: 1 })[0] as SamplePolicy;

describe('comparePolicies', () => {
  it('is reflexive: a policy changes nothing against itself', () => {
    fc.assert(fc.property(samplePolicies, (a) => verdict(a, a) === 'same'));
  });
  it('is transitive', () => {
    const chain = fc.tuple(samplePolicies, samplePolicies, samplePolicies).map(([a, b, c]) => {
      const second = meetPolicies(sampleProfile, a, b);
      return [a, second, meetPolicies(sampleProfile, second, c)] as const;
    });
    fc.assert(fc.property(chain, ([a, b, c]) => below(b, a) && below(c, b) && below(c, a)));
  });
  it('says same exactly when each is at most the other', () => {
    fc.assert(
      fc.property(samplePolicies, samplePolicies, (a, b) => {
        expect(verdict(a, b) === 'same').toBe(below(a, b) && below(b, a));
      }),
    );
  });
  it('never says that both directions of a change tighten', () => {
    fc.assert(
      fc.property(
        samplePolicies,
        samplePolicies,
        (a, b) => verdict(a, b) !== 'tightens' || verdict(b, a) === 'loosens',
      ),
    );
  });
  it('names the field, both values as the file says them, and the direction', () => {
    const limits = { ...sample.limits, timeout: 30_000 };
    const before = { ...sample, limits };
    expect(compare(before, { ...before, limits: { ...limits, timeout: 90_000 } })).toEqual([
      { path: 'limits.timeout', direction: 'loosens', from: '30s', to: '1m30s' },
    ]);
  });
  it('loosens on a field that one of the policies does not have', () => {
    const { exec, ...without } = sample;
    expect(exec).toBeDefined();
    expect(compare(without as SamplePolicy, sample)).toMatchObject([
      { path: 'exec', direction: 'loosens', from: null },
    ]);
    expect(compare(sample, without as SamplePolicy)).toMatchObject([
      { path: 'exec', direction: 'loosens', to: null },
    ]);
  });
});

describe('changesTarget', () => {
  it('is true for what the session stands on, and for nothing else', () => {
    const other = { ...sample, host: sample.host === 'a' ? 'b' : 'a' };
    const definition = sampleProfile as never;
    expect(changesTarget(definition, compare(sample, other))).toBe(true);
    expect(changesTarget(definition, compare(sample, { ...sample, exec: !sample.exec }))).toBe(false);
  });
});

describe('meetPolicies', () => {
  const meet = (a: SamplePolicy, b: SamplePolicy) => meetPolicies(sampleProfile, a, b);
  it('is at most the approved policy, whatever the file says', () => {
    fc.assert(fc.property(samplePolicies, samplePolicies, (a, b) => below(meet(a, b), a)));
  });
  it('is at most the file in every field that has a common bound', () => {
    fc.assert(
      fc.property(samplePolicies, samplePolicies, (a, b) => {
        const above = compare(b, meet(a, b)).filter(({ direction }) => direction === 'loosens');
        for (const { path } of above) expect(['host', 'credentials']).toContain(path);
      }),
    );
  });
  it('is idempotent, also in its fingerprint', () => {
    fc.assert(
      fc.property(samplePolicies, samplePolicies, (a, b) => {
        const once = meet(a, b);
        expect(fingerprint(meet(once, b))).toBe(fingerprint(once));
        expect(fingerprint(meet(once, once))).toBe(fingerprint(once));
      }),
    );
  });
  it('is commutative and associative where no field is an identity', () => {
    const plain = samplePolicies.map((policy): SamplePolicy => ({
      ...policy,
      host: 'a',
      credentials: 'ask',
    }));
    fc.assert(
      fc.property(plain, plain, plain, (a, b, c) => {
        expect(fingerprint(meet(a, b))).toBe(fingerprint(meet(b, a)));
        expect(fingerprint(meet(meet(a, b), c))).toBe(fingerprint(meet(a, meet(b, c))));
      }),
    );
  });
  it('keeps what must hold between fields', () => {
    fc.assert(
      fc.property(samplePolicies, samplePolicies, (a, b) => sampleProfile.checks(meet(a, b)).length === 0),
    );
  });
});

describe('fingerprint', () => {
  it('depends on every field', () => {
    fc.assert(
      fc.property(samplePolicies, samplePolicies, (a, b) => {
        expect(fingerprint(a) === fingerprint(b)).toBe(
          JSON.stringify(sortKeys(a)) === JSON.stringify(sortKeys(b)),
        );
      }),
    );
  });
  it('is SHA-256 of the RFC 8785 text', () => {
    expect(fingerprint({ b: [2, 'é'], a: { y: true, x: 1 } })).toBe(
      'dbb470a3f739942e16b85c3bcacc1513b3bd5b525b2e8df30d318af98fa75e41',
    );
  });
});

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, one]) => [key, sortKeys(one)]));
}
