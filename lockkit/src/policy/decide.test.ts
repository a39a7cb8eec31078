import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comparePolicies, verdictOf } from './compare.js';
import { decidePolicy, type DecisionInput, type InForce } from './decide.js';
import { fingerprint } from './fingerprint.js';
import type { LoadedPolicy } from './load.js';
import { meetPolicies } from './meet.js';
import type { Loaded } from './problem.js';
import {
  addMask,
  approvePolicy,
  maskRulesOf,
  masksOutsideFile,
  refusePolicy,
  reopenPolicy,
} from './review-steps.js';
import { EMPTY_STATE, type PolicyState } from './state.js';
import { samplePolicyFiles, sampleProfile, type SamplePolicy } from './test/sample-profile.js';

type State = PolicyState<SamplePolicy>;
const decide = (input: DecisionInput<SamplePolicy>) => decidePolicy(sampleProfile, input);
const verdict = (before: SamplePolicy, after: SamplePolicy) =>
  verdictOf(comparePolicies(sampleProfile, before, after));
const fromFile = (policy: SamplePolicy, replaces?: SamplePolicy): Loaded<LoadedPolicy<SamplePolicy>> => ({
  ok: true,
  value: { profile: 'web', source: 'project', policy, ...(replaces === undefined ? {} : { replaces }) },
});
const broken: Loaded<never> = { ok: false, problems: [{ code: 'not_toml', file: 'f', message: 'm' }] };

const base: SamplePolicy = {
  host: 'a',
  credentials: 'none',
  production: false,
  exec: false,
  allow: [['ls *', 'uptime']],
  detectors: ['email', 'ip'],
  limits: { timeout: 30_000, quantum: 1_000, bytes: 512 },
  auto: { run: 'ask' },
  pii: { mask: [], allow: [] },
};
const approvedBase: State = approvePolicy<SamplePolicy>(EMPTY_STATE, base);

function inForce(state: State, policy: SamplePolicy): InForce<SamplePolicy> {
  const decision = decide({ state, file: fromFile(policy) });
  if (decision.kind !== 'in_force') throw new Error(decision.kind);
  return decision;
}

describe('decidePolicy: the first start', () => {
  it('has nothing in force, whatever the file says', () => {
    fc.assert(
      fc.property(
        samplePolicyFiles,
        (policy) => decide({ state: EMPTY_STATE, file: fromFile(policy) }).kind === 'first',
      ),
    );
  });
  it('remembers that exactly this policy was refused, until it is reopened', () => {
    const print = fingerprint(base);
    const refused = refusePolicy<SamplePolicy>(EMPTY_STATE, print);
    expect(decide({ state: refused, file: fromFile(base) })).toMatchObject({ kind: 'first', refused: true });
    expect(decide({ state: refused, file: fromFile({ ...base, host: 'b' }) })).toMatchObject({
      refused: false,
    });
    expect(decide({ state: reopenPolicy(refused, print), file: fromFile(base) })).toMatchObject({
      refused: false,
    });
  });
});

describe('decidePolicy: after an approval', () => {
  it('keeps an unchanged policy in force, with nothing to save and nothing pending', () => {
    const decision = inForce(approvedBase, base);
    expect(decision).toEqual({ kind: 'in_force', inForce: approvedBase.inForce });
  });

  it('applies a tightening at once, to be saved, with nothing pending', () => {
    const file = { ...base, limits: { ...base.limits, timeout: 1 } };
    const decision = inForce(approvedBase, file);
    expect(decision.inForce.policy).toEqual(file);
    expect(decision.next?.inForce).toEqual(decision.inForce);
    expect(decision.next?.approved).toEqual(approvedBase.approved);
    expect(decision.pending).toBeUndefined();
  });

  it('leaves what was approved in force while a loosening waits', () => {
    const decision = inForce(approvedBase, { ...base, exec: true });
    expect(decision.inForce).toEqual(approvedBase.inForce);
    expect(decision.next).toBeUndefined();
    expect(decision.pending?.waiting).toMatchObject([{ path: 'exec', direction: 'loosens' }]);
  });

  it('takes a removed rule away at once and gives nothing for the added one', () => {
    const decision = inForce(approvedBase, { ...base, allow: [['find **', 'uptime']] });
    expect(decision.inForce.policy.allow).toEqual([
      ['find **', 'uptime'],
      ['ls *', 'uptime'],
    ]);
    expect(decision.pending?.waiting).toMatchObject([{ path: 'allow' }]);
  });

  it('keeps the approved host with everything else at its tightest, and says that the session would end', () => {
    const decision = inForce(approvedBase, { ...base, host: 'b', limits: { ...base.limits, bytes: 1 } });
    expect(decision.inForce.policy).toMatchObject({ host: 'a', limits: { bytes: 1 } });
    expect(decision.pending?.endsSession).toBe(true);
  });

  it('does not raise by itself what the file took away and gives back', () => {
    const tight = { ...base, limits: { ...base.limits, timeout: 1 } };
    const lowered = inForce(approvedBase, tight).next as State;
    const back = inForce(lowered, base);
    expect(back.inForce.policy).toEqual(tight);
    expect(back.pending).toMatchObject({
      changes: [{ path: 'limits.timeout', direction: 'loosens', from: '1ms', to: '30s' }],
      waiting: [{ path: 'limits.timeout' }],
    });
    const between = inForce(lowered, { ...base, limits: { ...base.limits, timeout: 10_000 } });
    expect(between.pending?.changes).toMatchObject([{ direction: 'loosens', from: '1ms', to: '10s' }]);
  });

  it('does not ask again for a refused change, and asks for any other', () => {
    const wanted = { ...base, exec: true };
    const refused = refusePolicy(approvedBase, fingerprint(wanted));
    expect(inForce(refused, wanted).pending?.refused).toBe(true);
    expect(inForce(refused, { ...wanted, host: 'b' }).pending?.refused).toBe(false);
    expect(inForce(reopenPolicy(refused, fingerprint(wanted)), wanted).pending?.refused).toBe(false);
  });

  it('holds nothing in force while the file is broken, and comes back to what was approved', () => {
    expect(decide({ state: approvedBase, file: broken })).toEqual({
      kind: 'broken',
      problems: broken.problems,
    });
    expect(inForce(approvedBase, base).inForce).toEqual(approvedBase.inForce);
  });
});

describe('decidePolicy: a project profile in the place of a user’s', () => {
  const user: State = approvePolicy<SamplePolicy>(EMPTY_STATE, base);
  it('takes over what tightens and lets the rest wait, shown as a replacement', () => {
    const project = { ...base, exec: true, detectors: ['email', 'ip', 'secret'] as const };
    const decision = decide({ state: EMPTY_STATE, file: fromFile(project, base), userState: user });
    expect(decision).toMatchObject({
      kind: 'in_force',
      inForce: { policy: { exec: false, detectors: ['email', 'ip', 'secret'] } },
      pending: { replacesUserProfile: true, waiting: [{ path: 'exec' }] },
    });
  });
  it('saves the taken-over approval as the project’s own', () => {
    const decision = decide({ state: EMPTY_STATE, file: fromFile(base, base), userState: user });
    expect(decision).toMatchObject({
      kind: 'in_force',
      next: { approved: user.approved, inForce: user.inForce },
    });
  });
  it('is a first start where the user approved nothing, with the difference', () => {
    const decision = decide({
      state: EMPTY_STATE,
      file: fromFile({ ...base, exec: true }, base),
      userState: EMPTY_STATE,
    });
    expect(decision).toMatchObject({ kind: 'first', replaced: [{ path: 'exec' }] });
  });
  it('is a first start where it replaces nothing, whatever else was approved', () => {
    expect(decide({ state: EMPTY_STATE, file: fromFile(base), userState: user }).kind).toBe('first');
  });
});

type Step =
  | { readonly kind: 'load'; readonly policy: SamplePolicy }
  | { readonly kind: 'break' }
  | { readonly kind: 'refuse' }
  | { readonly kind: 'approve' };
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: samplePolicyFiles.map((policy): Step => ({ kind: 'load', policy })) },
    { weight: 1, arbitrary: fc.constant<Step>({ kind: 'break' }) },
    { weight: 1, arbitrary: fc.constant<Step>({ kind: 'refuse' }) },
    { weight: 1, arbitrary: fc.constant<Step>({ kind: 'approve' }) },
  ),
  { maxLength: 12 },
);

describe('decidePolicy over any history', () => {
  it('never raises what is in force without an approval, and never beyond what was approved', () => {
    fc.assert(
      fc.property(samplePolicyFiles, steps, (first, history) => {
        let state: State = approvePolicy<SamplePolicy>(EMPTY_STATE, first);
        let file: SamplePolicy = first;
        for (const step of history) {
          const before = state;
          if (step.kind === 'approve') state = approvePolicy(state, file);
          if (step.kind === 'refuse') state = refusePolicy(state, fingerprint(file));
          if (step.kind === 'break') expect(decide({ state, file: broken }).kind).toBe('broken');
          if (step.kind === 'load') {
            file = step.policy;
            const decision = inForce(state, file);
            state = decision.next ?? state;
            expect(state.inForce).toEqual(decision.inForce);
            expect(verdict(decision.inForce.policy, file) === 'loosens').toBe(decision.pending !== undefined);
            const shown = decision.pending?.changes.filter(({ direction }) => direction === 'loosens') ?? [];
            const waits = decision.pending?.waiting ?? [];
            expect(shown.map(({ path }) => path).toSorted()).toEqual(
              waits.map(({ path }) => path).toSorted(),
            );
          }
          if (step.kind !== 'approve') {
            expect(verdict(must(before.inForce).policy, must(state.inForce).policy)).not.toBe('loosens');
            expect(state.approved).toEqual(before.approved);
          }
          expect(verdict(must(state.approved).policy, must(state.inForce).policy)).not.toBe('loosens');
        }
      }),
      { numRuns: 200 },
    );
  });

  it('comes to rest: the same file decides the same, with nothing more to save', () => {
    fc.assert(
      fc.property(samplePolicyFiles, samplePolicyFiles, (approved, file) => {
        const start: State = approvePolicy<SamplePolicy>(EMPTY_STATE, approved);
        const once = inForce(start, file);
        const twice = inForce(once.next ?? start, file);
        expect(twice.next).toBeUndefined();
        expect(twice.inForce).toEqual(once.inForce);
      }),
    );
  });

  it('is the meet of what was in force and the file', () => {
    fc.assert(
      fc.property(samplePolicyFiles, samplePolicyFiles, (approved, file) => {
        const start: State = approvePolicy<SamplePolicy>(EMPTY_STATE, approved);
        const met = meetPolicies(sampleProfile, approved, file);
        expect(verdict(met, inForce(start, file).inForce.policy)).toBe('same');
      }),
    );
  });
});

describe('mask rules that agents add', () => {
  const mask = (pattern: string) => ({ pattern, uid: 1000, at: '2026-01-01T00:00:00.000Z' });
  const added = addMask(addMask(approvedBase, mask('b+')) as State, mask('a+')) as State;

  it('are in force in order of arrival, after the reviewed ones', () => {
    expect(maskRulesOf(added)).toMatchObject({ reviewed: [], added: [{ pattern: 'b+' }, { pattern: 'a+' }] });
  });
  it('stay an agent’s after they reached the file, until a review', () => {
    const file = { ...base, pii: { mask: ['a+', 'b+', 'c+'], allow: [] } };
    const state = inForce(added, file).next as State;
    expect(maskRulesOf(state)).toMatchObject({
      reviewed: ['c+'],
      added: [{ pattern: 'b+' }, { pattern: 'a+' }],
    });
    expect(maskRulesOf(approvePolicy(state, file))).toEqual({ reviewed: ['a+', 'b+', 'c+'], added: [] });
  });
  it('survive an approval of a file that never held them, unless they were shown and ended', () => {
    const state = approvePolicy(added, { ...base, exec: true });
    expect(state.addedMasks.map(({ pattern }) => pattern)).toEqual(['b+', 'a+']);
    expect(masksOutsideFile(state).map(({ pattern }) => pattern)).toEqual(['b+', 'a+']);
    const ended = approvePolicy(state, base, masksOutsideFile(state).slice(0, 1));
    expect(ended.addedMasks.map(({ pattern }) => pattern)).toEqual(['a+']);
  });
  it('end when the human takes them out of the file: their removal waits, is shown, and is approved', () => {
    const held = { ...base, pii: { mask: ['a+'], allow: [] } };
    const state = inForce(added, held).next as State;
    const decision = inForce(state, base);
    expect(decision.pending?.changes).toMatchObject([
      { path: 'pii.mask', direction: 'loosens', from: ['a+'], to: [] },
    ]);
    expect(maskRulesOf(approvePolicy(state, base))).toMatchObject({
      reviewed: [],
      added: [{ pattern: 'b+' }],
    });
  });
  it('are refused twice, and beyond a bound', () => {
    expect(addMask(added, mask('b+'))).toBeNull();
    let state: State = approvedBase;
    for (let index = 0; index < 256; index += 1) state = addMask(state, mask(`x${String(index)}`)) as State;
    expect(addMask(state, mask('one more'))).toBeNull();
  });
});

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('missing');
  return value;
}
