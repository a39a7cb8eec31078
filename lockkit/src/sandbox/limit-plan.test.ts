import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planLimits } from './limit-plan.js';

const planOf = (cpuS: number, memoryBytes: number): Record<string, readonly [bigint, bigint]> =>
  Object.fromEntries(
    planLimits({ cpuS, memoryBytes, timeoutMs: 1 }).map(({ name, soft, hard }) => [name, [soft, hard]]),
  );

describe('planLimits', () => {
  it('bounds memory, stack and address space as the contract says', () => {
    const plan = planOf(20, 512 * 2 ** 20);
    expect(plan['data']).toEqual([536870912n, 536870912n]);
    expect(plan['stack']).toEqual([8388608n, 8388608n]);
    expect(plan['address space']).toEqual([4831838208n, 4831838208n]);
    expect(plan['cpu']).toEqual([20n, 21n]);
    expect(plan['core']).toEqual([0n, 0n]);
    expect(plan['file size']).toEqual([0n, 0n]);
  });

  it('never plans an unlimited or a repeated resource', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e6 }),
        fc.integer({ min: 1, max: 2 ** 40 }),
        (cpuS, memoryBytes) => {
          const limits = planLimits({ cpuS, memoryBytes, timeoutMs: 1 });
          expect(new Set(limits.map(({ resource }) => resource)).size).toBe(limits.length);
          for (const { soft, hard } of limits) expect(soft <= hard && hard < 2n ** 53n).toBe(true);
        },
      ),
    );
  });

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('throws for %d CPU seconds', (cpuS) => {
    expect(() => planOf(cpuS, 1)).toThrow();
  });

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])(
    'throws for %d bytes of memory',
    (memoryBytes) => {
      expect(() => planOf(1, memoryBytes)).toThrow();
    },
  );
});
