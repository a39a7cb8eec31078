import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foundBy } from '../test/found-by.js';
import { isLuhn } from './card.js';

const found = (text: string): readonly string[] => foundBy(['card'], text);

describe('card', () => {
  it.each([
    ['pan=4012888888881881;', '4012888888881881'],
    ['4012 8888 8888 1881 12/26', '4012 8888 8888 1881'],
    ['4012-8888-8888-1881', '4012-8888-8888-1881'],
    ['4012.8888.8888.1881', '4012.8888.8888.1881'],
    ['3782 822463 10005', '3782 822463 10005'],
    ['3056 930902 5904', '3056 930902 5904'],
    ['6304000000000000000', '6304000000000000000'],
    ['060426070011', '060426070011'],
    ['2720418695252980', '2720418695252980'],
    ['card number: 9999999999999995', '9999999999999995'],
    [
      '\u0664\u0660\u0661\u0662\u0668\u0668\u0668\u0668\u0668\u0668\u0668\u0668\u0661\u0668\u0668\u0661',
      '\u0664\u0660\u0661\u0662\u0668\u0668\u0668\u0668\u0668\u0668\u0668\u0668\u0661\u0668\u0668\u0661',
    ],
  ])('hides the number in %j', (text, value) => {
    expect(found(text)).toEqual([value]);
  });

  it.each([
    ['4012888888881882'],
    ['2.3500000000000001E-3'],
    ['1748503543012'],
    ['1748503543012345678'],
    ['550e8400-e29b-41d4-a716-446655440000'],
    ['0x4012888888881881'],
    ['4012888888881881abcdef'],
    ['4012 8888-8888 1881'],
    ['4012888888881881.5'],
    ['1'.repeat(40)],
    ['"id":587428561654'],
    ['500107862016 bytes'],
  ])('leaves %j', (text) => {
    expect(found(text)).toEqual([]);
  });

  it('hides every Visa number that a check digit completes, and none with another digit', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^4[0-9]{14}$/), (head) => {
        const right = [...'0123456789'].filter((digit) => isLuhn(head + digit));
        expect(right).toHaveLength(1);
        for (const digit of '0123456789') {
          expect(found(`x ${head}${digit} y`)).toEqual(digit === right[0] ? [head + digit] : []);
        }
      }),
      { numRuns: 100 },
    );
  });
});
