import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Fault } from '../contract/fault.js';
import { addMask, approvePolicy, refusePolicy } from './review-steps.js';
import { EMPTY_STATE, type PolicyState } from './state.js';
import { openPolicyStore, type PolicyKey } from './store.js';
import { samplePolicies, sampleProfile, type SamplePolicy } from './test/sample-profile.js';
import * as fc from 'fast-check';

const uid = process.getuid?.() ?? 0;
const key: PolicyKey = { projectRoot: '/srv/project', profile: 'web' };
const policy = fc.sample(samplePolicies, { seed: 3, numRuns: 1 })[0] as SamplePolicy;
const state = addMask(refusePolicy(approvePolicy<SamplePolicy>(EMPTY_STATE, policy), 'ab'.repeat(32)), {
  pattern: 'x"\n]]',
  uid: 1000,
  at: '2026-01-01T00:00:00.000Z',
}) as PolicyState<SamplePolicy>;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'store-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const open = () => openPolicyStore({ folder, definition: sampleProfile, uid });
const onlyFile = () => join(folder, 'policy', readdirSync(join(folder, 'policy'))[0] ?? '');
const edit = (change: (json: Record<string, unknown>) => void) => {
  const json = JSON.parse(readFileSync(onlyFile(), 'utf8')) as Record<string, unknown>;
  change(json);
  writeFileSync(onlyFile(), JSON.stringify(json));
};

describe('openPolicyStore', () => {
  it('gives back what was written, and nothing for other profiles and projects', () => {
    open().write(key, state);
    expect(open().read(key)).toEqual(state);
    expect(open().read({ ...key, profile: 'db' })).toEqual(EMPTY_STATE);
    expect(open().read({ ...key, projectRoot: null })).toEqual(EMPTY_STATE);
    expect(open().read({ ...key, projectRoot: '/srv/project2' })).toEqual(EMPTY_STATE);
  });

  it('writes a 0600 file in a 0700 folder and leaves no other file', () => {
    open().write(key, state);
    open().write(key, EMPTY_STATE);
    expect(readdirSync(join(folder, 'policy'))).toHaveLength(1);
    expect(statSync(onlyFile()).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'policy')).mode & 0o777).toBe(0o700);
  });

  it.each<[string, () => void]>([
    ['is cut', () => writeFileSync(onlyFile(), readFileSync(onlyFile()).subarray(0, 100))],
    ['is empty', () => writeFileSync(onlyFile(), '')],
    ['has an unknown key', () => edit((json) => (json['extra'] = 1))],
    ['is of another profile', () => edit((json) => (json['profile'] = 'db'))],
    ['is of another project', () => edit((json) => (json['project'] = '/elsewhere'))],
    ['is of another lock', () => edit((json) => (json['lock'] = 'other'))],
    ['is of a later version', () => edit((json) => (json['v'] = 2))],
    ['may be written by others', () => chmodSync(onlyFile(), 0o622)],
    [
      'is a link',
      () => {
        const file = onlyFile();
        rmSync(file);
        writeFileSync(join(folder, 'x'), '{}');
        symlinkSync(join(folder, 'x'), file);
      },
    ],
  ])('stops with a fault when the file %s', (_what, damage) => {
    open().write(key, state);
    damage();
    expect(() => open().read(key)).toThrow(Fault);
  });

  it.each<[string, (json: Record<string, unknown>) => void]>([
    [
      'was edited',
      (json) => ((json['approved'] as { policy: Record<string, unknown> }).policy['exec'] = 'edited'),
    ],
    [
      'has an edited in-force half',
      (json) => ((json['in_force'] as { fingerprint: string }).fingerprint = '0'.repeat(64)),
    ],
    ['lost its in-force half', (json) => delete json['in_force']],
  ])('forgets an approval that %s: the first start comes again', (_what, damage) => {
    open().write(key, state);
    edit(damage);
    expect(open().read(key).approved).toBeUndefined();
    expect(open().read(key).inForce).toBeUndefined();
  });

  it('forgets an approval that a lock with other fields gave', () => {
    const { exec, ...less } = policy;
    expect(exec).toBeDefined();
    open().write(key, approvePolicy<SamplePolicy>(EMPTY_STATE, less as SamplePolicy));
    expect(open().read(key).approved).toBeUndefined();
    open().write(key, approvePolicy<SamplePolicy>(EMPTY_STATE, { ...policy, more: 1 } as SamplePolicy));
    expect(open().read(key).approved).toBeUndefined();
  });

  it('refuses a folder that others can enter', () => {
    open();
    chmodSync(join(folder, 'policy'), 0o755);
    expect(open).toThrow(Fault);
  });

  it.runIf(uid === 0)('refuses a folder of another account', () => {
    expect(() => openPolicyStore({ folder, definition: sampleProfile, uid: 12_345 })).toThrow(Fault);
  });
});
