import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalText, hashCanonical, wellFormed } from './canonical.js';

describe('canonicalText', () => {
  test('sorts keys by UTF-16 code units and spells numbers as RFC 8785', () => {
    expect(canonicalText({ b: 1, a: [1e21, -0, 0.1], '\u{1F600}': 1, '\uFB33': 2 })).toBe(
      '{"a":[1e+21,0,0.1],"b":1,"\u{1F600}":1,"\uFB33":2}',
    );
  });

  test('what is no JSON, or no Unicode, has none', () => {
    for (const value of [undefined, () => 1, '\uD800', { a: '\uDC00' }])
      expect(() => canonicalText(value)).toThrow(Error);
  });

  test('one hash for one value, in whatever order its keys came', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.integer()), (value) => {
        const turned = Object.fromEntries(Object.entries(value).reverse());
        expect(hashCanonical(turned)).toBe(hashCanonical(value));
      }),
    );
  });
});

describe('wellFormed', () => {
  test('spells unpaired surrogates out, everywhere, and touches nothing else', () => {
    expect(wellFormed({ a: ['x\uD800y', { '\uDC00': 1 }], b: '\u{1F600}', c: null, d: 7 })).toEqual({
      a: ['x\\u{D800}y', { '\uDC00': 1 }],
      b: '\u{1F600}',
      c: null,
      d: 7,
    });
  });

  test('makes any text fit to be signed, and leaves well-formed text as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(() => canonicalText(wellFormed({ text }))).not.toThrow();
        if (Buffer.from(text).toString() === text) expect(wellFormed(text)).toBe(text);
      }),
    );
  });
});
