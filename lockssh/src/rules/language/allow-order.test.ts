import { describe, expect, it } from 'vitest';
import { allowOrder } from './allow-order.js';

describe('allowOrder.compare', () => {
  const table: [string, string[], string[], string, string[]?][] = [
    ['narrower', ['systemctl status *'], ['systemctl status nginx'], 'tightens'],
    ['wider', ['systemctl status nginx'], ['systemctl status *'], 'loosens', ['systemctl', 'status', '']],
    ['same', ['a *'], ['a *'], 'same'],
    ['respelled', ['a [ab]'], ['a a', 'a b'], 'same'],
    ['covered', ['a *', 'a b'], ['a *'], 'same'],
    ['union', ['a x*', 'a [^x]*', 'a \\'], ['a *'], 'loosens'],
    ['two args', ['x a* b', 'x [^a]* b'], ['x * b'], 'loosens', ['x', '', 'b']],
    ['rest', ['e **'], ['e', 'e *', 'e * *'], 'tightens'],
    ['rest2', ['e *'], ['e **'], 'loosens', ['e']],
    ['dots', ['c */*'], ['c a/[.]*'], 'tightens'],
    ['dots2', ['c a/..'], ['c a/[.]*'], 'loosens', ['c', 'a/.a']],
    ['new program', ['a'], ['a', 'b'], 'loosens', ['b']],
  ];
  for (const [name, before, after, direction, witness] of table) {
    it(name, () => {
      const got = allowOrder.compare([before], [after]);
      expect(got.direction).toBe(direction);
      if (witness) expect(got.witness).toEqual(witness);
      console.log(name, got);
    });
  }
});
