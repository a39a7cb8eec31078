import { describe, expect, test } from 'vitest';
import { COMMON_REFUSALS } from 'lockkit/contract';
import { lockfileContract } from './lockfile-contract.js';
import { LOCKFILE_REFUSALS } from './refusals.js';
import { LOCKFILE_SHAPES } from '../later/shapes.js';

describe('lockfileContract', () => {
  test('has a shape for every action and an action for every shape', () => {
    const names = lockfileContract.actions.map(({ name }) => name).toSorted();
    expect(names).toStrictEqual(Object.keys(LOCKFILE_SHAPES).toSorted());
    expect(names).toStrictEqual(['answers', 'plan', 'plugins', 'release', 'run', 'sources', 'status']);
  });

  test('exit codes are those of the page', () => {
    const { ok, refused, denied, noAnswer, noConsole, usage } = lockfileContract.exitCodes;
    expect([ok, noConsole, refused, denied, noAnswer, usage]).toStrictEqual([0, 1, 2, 3, 3, 64]);
  });

  test('its refusals are its own, each with a hint', () => {
    for (const [code, row] of Object.entries(LOCKFILE_REFUSALS)) {
      expect(Object.hasOwn(COMMON_REFUSALS, code)).toBe(false);
      expect(row.hint).not.toBe('');
    }
  });

  test('a plan with an unknown parameter is refused', () => {
    const { input } = LOCKFILE_SHAPES.plan;
    expect(input.safeParse({ key: 'a', plugins: ['x'] }).success).toBe(true);
    expect(input.safeParse({ key: 'a', plugins: ['x'], value: 'y' }).success).toBe(false);
    expect(input.safeParse({ key: 'a', plugins: [] }).success).toBe(false);
    expect(input.safeParse({ key: 'a', plugins: ['x'], inputs: { 'x.y': 3 } }).success).toBe(false);
  });
});
