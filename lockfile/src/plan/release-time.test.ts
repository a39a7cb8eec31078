import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { waitUntilRelease } from './release-time.js';

describe('waitUntilRelease', () => {
  test('an answer that is there at once waits one whole quantum', () => {
    expect(waitUntilRelease(5000, 5000, 1000)).toBe(1000);
    expect(waitUntilRelease(5000, 5001, 1000)).toBe(999);
    expect(waitUntilRelease(5000, 6000, 1000)).toBe(0);
    expect(waitUntilRelease(5000, 6001, 1000)).toBe(999);
  });

  test('the release is always a whole number of quanta after the start, never earlier than the answers, less than one later', () => {
    const ms = fc.integer({ min: 0, max: 10_000_000 });
    fc.assert(
      fc.property(ms, ms, fc.integer({ min: 250, max: 60_000 }), (startedMs, tookMs, quantumMs) => {
        const wait = waitUntilRelease(startedMs, startedMs + tookMs, quantumMs);
        expect((tookMs + wait) % quantumMs).toBe(0);
        expect(wait).toBeGreaterThanOrEqual(0);
        expect(tookMs === 0 ? wait - 1 : wait).toBeLessThan(quantumMs);
        expect(tookMs + wait).toBeGreaterThan(0);
      }),
    );
  });
});
