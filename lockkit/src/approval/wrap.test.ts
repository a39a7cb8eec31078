import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeVisible, joinUnits } from './visible.js';
import { wrapUnits } from './wrap.js';

describe('wrapUnits', () => {
  test('keeps every unit once and in order, in rows that fit', () => {
    const piece = fc.constantFrom('a', ' ', 'word', '字', '\u202e', 'e\u0301', '😀', '        ');
    const text = fc.array(piece, { maxLength: 80 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(
        text,
        fc.integer({ min: 16, max: 60 }),
        fc.integer({ min: 16, max: 60 }),
        (line, first, rest) => {
          const { units } = makeVisible(line, 'line');
          const rows = wrapUnits(units, first, rest);
          expect(rows.map(joinUnits).join('')).toBe(joinUnits(units));
          for (const [index, row] of rows.entries()) {
            const width = row.reduce((sum, unit) => sum + unit.width, 0);
            expect(width).toBeLessThanOrEqual(index === 0 ? first : Math.max(first, rest));
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  test('breaks behind a space where one is near the end', () => {
    const rows = wrapUnits(makeVisible('one two three', 'line').units, 8, 8);
    expect(rows.map(joinUnits)).toEqual(['one two ', 'three']);
  });
});
