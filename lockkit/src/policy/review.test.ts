import { describe, expect, it } from 'vitest';
import { checkPolicyFile } from './check.js';
import { decidePolicy } from './decide.js';
import type { LoadedPolicy } from './load.js';
import { reviewFirst, reviewPending } from './review.js';
import { approvePolicy } from './review-steps.js';
import { EMPTY_STATE, type PolicyState } from './state.js';
import { checkPattern, sampleProfile, type SamplePolicy } from './test/sample-profile.js';

const base: SamplePolicy = {
  host: 'a',
  credentials: 'none',
  production: false,
  exec: false,
  allow: [['ls *']],
  detectors: ['email', 'ip'],
  limits: { timeout: 30_000, quantum: 1_000, bytes: 512 },
  auto: { run: 'ask' },
  pii: { mask: [], allow: [] },
};
const file = (policy: SamplePolicy): LoadedPolicy<SamplePolicy> => ({
  profile: 'web',
  source: 'project',
  policy,
});

function review(state: PolicyState<SamplePolicy>, policy: SamplePolicy) {
  const decision = decidePolicy(sampleProfile, { state, file: { ok: true, value: file(policy) } });
  const context = { definition: sampleProfile, state, requests: ['please allow df'] };
  if (decision.kind === 'first') return reviewFirst(decision, context);
  if (decision.kind === 'in_force' && decision.pending !== undefined)
    return reviewPending(decision.pending, context);
  throw new Error('nothing to review');
}

describe('reviewFirst', () => {
  it('shows every field under its heading, all of it waiting', () => {
    const got = review(EMPTY_STATE, base);
    expect(got).toMatchObject({
      kind: 'first',
      profile: 'web',
      endsSession: false,
      requests: ['please allow df'],
    });
    const items = got.groups.flatMap((group) => group.items);
    expect(items.map(({ path }) => path).toSorted()).toEqual(
      sampleProfile.entries.map(({ name }) => name).toSorted(),
    );
    expect(items.every(({ waits }) => waits)).toBe(true);
    expect(got.groups.map(({ heading }) => heading)).toEqual([
      'Target',
      'Commands',
      'Output',
      'Limits',
      'Auto rules',
    ]);
  });
  it('shows no PII rules of a lock that has none', () => {
    const { piiKinds, ...definition } = sampleProfile;
    expect(piiKinds).toBeDefined();
    const decision = decidePolicy(definition, { state: EMPTY_STATE, file: { ok: true, value: file(base) } });
    if (decision.kind !== 'first') throw new Error(decision.kind);
    const got = reviewFirst(decision, { definition, state: EMPTY_STATE, requests: [] });
    const paths = got.groups.flatMap(({ items }) => items.map(({ path }) => path));
    expect(paths).toContain('limits.timeout');
    expect(paths.filter((path) => path.startsWith('pii.'))).toEqual([]);
  });
});

describe('reviewPending', () => {
  const state = approvePolicy<SamplePolicy>(EMPTY_STATE, base);
  it('shows what waits first, and what is in force already beside it', () => {
    const got = review(state, { ...base, exec: true, production: true, allow: [['find **', 'ls *']] });
    expect(got.groups).toMatchObject([
      {
        heading: 'Commands',
        items: [
          { path: 'exec', waits: true, from: false, to: true },
          { path: 'allow', waits: true, added: ['find **'], removed: [] },
          { path: 'production', waits: false, direction: 'tightens' },
        ],
      },
    ]);
    expect(got.remarks).toEqual([{ key: 'allow', subject: 'find **', message: 'runs other programs' }]);
  });
  it('shows what would come back although it was approved once', () => {
    const tight = { ...base, limits: { ...base.limits, timeout: 1 } };
    const lowered = decidePolicy(sampleProfile, { state, file: { ok: true, value: file(tight) } });
    if (lowered.kind !== 'in_force' || lowered.next === undefined) throw new Error('not lowered');
    expect(review(lowered.next, base).groups).toMatchObject([
      { heading: 'Limits', items: [{ path: 'limits.timeout', from: '1ms', to: '30s', waits: true }] },
    ]);
  });
  it('shows the mask rules of agents that a yes would end', () => {
    const added = { pattern: 'x+', uid: 1000, at: '2026-01-01T00:00:00.000Z' };
    expect(review({ ...state, addedMasks: [added] }, { ...base, exec: true }).endingMasks).toEqual([added]);
  });
});

describe('checkPolicyFile', () => {
  const check = (config: string) =>
    checkPolicyFile(sampleProfile, { config: { name: 'f', bytes: Buffer.from(config) } }, { checkPattern });
  it('names the profiles and what it remarks on', () => {
    expect(check('[profiles.web]\nhost = "a"\nallow = ["find **"]\n')).toEqual({
      ok: true,
      profiles: ['web'],
      problems: [],
      remarks: [{ key: 'profiles.web.allow', subject: 'find **', message: 'runs other programs' }],
    });
  });
  it('gives the problems of a file that does not load', () => {
    expect(check('[profiles.web]\n')).toMatchObject({
      ok: false,
      problems: [{ code: 'missing_key', line: 1 }],
    });
  });
});
