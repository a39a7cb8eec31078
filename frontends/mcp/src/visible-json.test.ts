import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeMessageLine, encodeVisibleJson } from './visible-json.js';

const text = fc.string({ unit: 'binary', maxLength: 60 });
const acting = fc
  .array(
    fc.constantFrom(
      '\u001b',
      '\u009b',
      '\u007f',
      '\u202e',
      '\u200b',
      '\ufeff',
      '\u{e0041}',
      '\u2028',
      '\ufe0f',
      '\u00ad',
      'a',
      '\n',
    ),
  )
  .map((parts) => parts.join(''));

test('encodeVisibleJson: always parses back to the same value, and nothing in it acts or hides', () => {
  fc.assert(
    fc.property(fc.dictionary(text, fc.oneof(text, acting)), (value) => {
      const encoded = encodeVisibleJson(value);
      expect(JSON.parse(encoded)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(encoded).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u);
    }),
    { numRuns: 300 },
  );
});

test('encodeMessageLine: always one line, whatever splits lines', () => {
  fc.assert(
    fc.property(fc.oneof(text, acting), (value) => {
      const line = encodeMessageLine({ value });
      expect(line.split(/[\n\r\v\f\u001c-\u001e\u0085\u2028\u2029]/u)).toHaveLength(2);
      expect(JSON.parse(line)).toEqual({ value });
    }),
    { numRuns: 300 },
  );
});
