import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeInputs, fitsInput } from './input-values.js';
import type { InputKind } from './manifest-inputs.js';

const fits = (kind: InputKind, value: string | Uint8Array, maxBytes = 64): boolean =>
  fitsInput(typeof value === 'string' ? Buffer.from(value) : value, { kind, maxBytes });

describe('fitsInput', () => {
  test.each([
    ['text', 'Jané Doe', true],
    ['text', 'a"b\\c', true],
    ['text', '', false],
    ['text', 'two\nlines', false],
    ['text', 'a\u0000b', false],
    ['text', 'a\u007fb', false],
    ['text', 'a\u0085b', false],
    ['text', '\u00a0', true],
    ['digits', '0123', true],
    ['digits', '12 3', false],
    ['digits', '-1', false],
    ['digits', '１２', false],
    ['email', 'alice@example.org', true],
    ['email', 'a.b+c@mail.example.org', true],
    ['email', 'alice', false],
    ['email', '@example.org', false],
    ['email', 'alice@localhost', false],
    ['email', 'a@b@example.org', false],
    ['email', 'a..b@example.org', false],
    ['email', '.a@example.org', false],
    ['email', 'a@-x.org', false],
    ['email', 'a@x..org', false],
    ['email', 'a b@example.org', false],
    ['email', '<a@example.org>', false],
    ['email', 'é@example.org', false],
  ] as const)('%s %j: %s', (kind, value, expected) => {
    expect(fits(kind, value)).toBe(expected);
  });

  test('counts bytes, not characters', () => {
    expect(fits('text', 'é', 2)).toBe(true);
    expect(fits('text', 'éa', 2)).toBe(false);
  });

  test('refuses bytes that are no UTF-8', () => {
    expect(fits('text', Uint8Array.of(0x61, 0xff))).toBe(false);
    expect(fits('text', Uint8Array.of(0xed, 0xa0, 0x80))).toBe(false);
  });

  test('accepts a text exactly when it is one line without controls, within its bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
        const bytes = Buffer.byteLength(text);
        const expected = bytes >= 1 && bytes <= 64 && !/\p{Cc}/u.test(text);
        expect(fits('text', text)).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });
});

describe('encodeInputs', () => {
  test('is the canonical JSON of the page', () => {
    expect(encodeInputs(new Map([['needle', Buffer.from('x"\\y')]])).toString()).toBe(
      '{"needle":"x\\"\\\\y"}',
    );
    expect(encodeInputs(new Map()).toString()).toBe('{}');
  });

  test('always parses back, its keys sorted and without spaces', () => {
    const values = fc.dictionary(
      fc.stringMatching(/^[a-z0-9_]{1,32}$/),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((text) => fits('text', text, 1024)),
      { maxKeys: 4, noNullPrototype: true },
    );
    fc.assert(
      fc.property(values, (record) => {
        const entries = Object.entries(record);
        const json = encodeInputs(
          new Map(entries.map(([name, value]) => [name, Buffer.from(value)])),
        ).toString();
        const sorted = Object.keys(record).toSorted();
        const expected = `{${sorted.map((name) => `${JSON.stringify(name)}:${JSON.stringify(record[name])}`).join(',')}}`;
        expect(json).toBe(expected);
      }),
      { numRuns: 300 },
    );
  });
});
