import { describe, expect, it } from 'vitest';
import { planLandlock } from './landlock-plan.js';

describe('planLandlock', () => {
  it('takes every right that each ABI knows, and no other', () => {
    const files = [1, 2, 3, 4, 5, 6, 7].map((abi) => planLandlock(abi).files);
    expect(files).toEqual([0x1fffn, 0x3fffn, 0x7fffn, 0x7fffn, 0xffffn, 0xffffn, 0xffffn]);
    expect([1, 2, 3, 4, 5, 6].map((abi) => planLandlock(abi).bytes)).toEqual([8, 8, 8, 16, 16, 24]);
    expect(planLandlock(3)).toMatchObject({ network: 0n, scopes: 0n });
    expect(planLandlock(4)).toMatchObject({ network: 3n, scopes: 0n });
    expect(planLandlock(6)).toMatchObject({ network: 3n, scopes: 3n });
  });

  it('gives a newer kernel the newest plan', () => {
    expect(planLandlock(40)).toEqual(planLandlock(6));
  });

  it('has no plan for a kernel without Landlock', () => {
    expect(() => planLandlock(0)).toThrow();
  });
});
