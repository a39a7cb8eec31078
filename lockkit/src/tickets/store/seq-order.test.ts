import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SeqOrder } from './seq-order.js';

test('SeqOrder: after and before give what stands there now, each id once, in order', () => {
  const step = fc.record({
    id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    isGone: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.integer({ min: 0, max: 45 }), (steps, from) => {
      const order = new SeqOrder();
      const model = new Map<string, number>();
      steps.forEach(({ id, isGone }, index) => {
        if (isGone) order.delete(id);
        else order.put(id, index + 1);
        model.delete(id);
        if (!isGone) model.set(id, index + 1);
      });
      const standing = [...model].sort(([, a], [, b]) => a - b);
      const ids = (kept: readonly (readonly [string, number])[]) => kept.map(([id]) => id);
      expect([...order.after(from)]).toEqual(ids(standing.filter(([, seq]) => seq > from)));
      expect([...order.before(from)]).toEqual(ids(standing.filter(([, seq]) => seq < from)).reverse());
      expect(order.size).toBe(model.size);
    }),
  );
});

test('SeqOrder: ten thousand moves of a few ids are swept out', () => {
  const order = new SeqOrder();
  for (let seq = 1; seq <= 10_000; seq++) order.put(`id${seq % 3}`, seq);
  expect([...order.after(0)]).toHaveLength(3);
});
