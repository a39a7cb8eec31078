import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RefusalCounter, type RefusalRecord } from './refusal-counter.js';

test('RefusalCounter: every refusal is in exactly one record, and a flood makes few of them', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({ code: fc.constantFrom('E_A', 'E_B'), uid: fc.constantFrom(1, 2), tick: fc.boolean() }),
        { maxLength: 200 },
      ),
      (calls) => {
        const timers = new Set<() => void>();
        const records: RefusalRecord[] = [];
        const counter = new RefusalCounter(
          (_ms, call) => {
            timers.add(call);
            return () => timers.delete(call);
          },
          (record) => records.push(record),
        );
        let ticks = 0;
        for (const { code, uid, tick } of calls) {
          counter.count(code, uid);
          if (!tick) continue;
          ticks++;
          for (const timer of [...timers]) timer();
        }
        counter.flush();
        expect(records.reduce((sum, { count }) => sum + count, 0)).toBe(calls.length);
        expect(records.length).toBeLessThanOrEqual((ticks + 1) * 8);
        expect(timers.size).toBe(0);
      },
    ),
  );
});
