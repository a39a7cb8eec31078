import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { MessageIdScanner } from './message-id.js';

function idIn(text: string, chunkBytes = 7): string | number | null {
  const scanner = new MessageIdScanner();
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += chunkBytes) scanner.push(bytes.subarray(at, at + chunkBytes));
  return scanner.id;
}

test('MessageIdScanner: the id of any message is found, wherever it stands and however the bytes come', () => {
  const id = fc.oneof(fc.integer(), fc.stringMatching(/^[ -~]{0,40}$/));
  const others = fc.dictionary(
    fc.string().filter((key) => key !== 'id' && key !== '__proto__'),
    fc.jsonValue(),
  );
  fc.assert(
    fc.property(
      id,
      others,
      others,
      fc.integer({ min: 1, max: 50 }),
      fc.constantFrom(0, 2),
      (value, a, b, size, space) => {
        const text = JSON.stringify({ ...a, id: value, ...b }, null, space);
        expect(idIn(text, size)).toBe(value);
      },
    ),
    { numRuns: 300 },
  );
});

test.each([
  ['no id', '{"method":"x","params":{"id":5}}'],
  ['an id inside only', '{"params":{"a":[{"id":5}]},"x":"\\"id\\":5"}'],
  ['an id that is an object', '{"id":{"id":5}}'],
  ['an id that is a list', '{"id":[5]}'],
  ['an id that is a fraction', '{"id":1.5}'],
  ['an id that is null', '{"id":null}'],
  ['an id without end', `{"id":"${'x'.repeat(5000)}"}`],
  ['an id that is not ASCII', '{"id":"é"}'],
  ['a message that is cut off', '{"id":5'],
  ['no message', 'id:5,"id":5'],
])('MessageIdScanner: %s gives null', (_name, text) => {
  expect(idIn(text)).toBeNull();
});

test('MessageIdScanner: no bytes crash it', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const scanner = new MessageIdScanner();
      scanner.push(Buffer.from(bytes));
      expect(['string', 'number', 'object']).toContain(typeof scanner.id);
    }),
    { numRuns: 300 },
  );
});
