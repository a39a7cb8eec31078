import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createKeyReader, type Key } from './key-reader.js';

function read(chunks: readonly string[], stepMs = 0): readonly Key[] {
  const reader = createKeyReader();
  return chunks.flatMap((chunk, index) => [...reader.push(Buffer.from(chunk, 'latin1'), index * stepMs)]);
}

/** Kinds, and what counts as typed text; neighbouring text is one. */
function summary(keys: readonly Key[]): string {
  return keys
    .map((key) => (key.kind === 'text' ? Buffer.from(key.bytes).toString('latin1') : `<${key.kind}>`))
    .join('');
}

describe('createKeyReader', () => {
  test.each([
    ['an answer', 'y\r', 'y<enter>'],
    ['a line that ends CR LF', 'y\r\nx', 'y<enter>x'],
    ['two newlines', '\n\n', '<enter><enter>'],
    ['editing', 'a\x7f\x08\x15', 'a<backspace><backspace><clear>'],
    ['Ctrl-C, Ctrl-D, Ctrl-O', '\x03\x04\x0f', '<interrupt><end><results>'],
    ['arrow keys, in both of their modes', '\x1b[A\x1b[B\x1bOA\x1bOBy', '<up><down><up><down>y'],
    ['page keys', '\x1b[5~\x1b[6~y', '<page_up><page_down>y'],
    ['an arrow key with Control', '\x1b[1;5Ay', '<foreign>y'],
    ['a function key', '\x1bOPy', '<foreign>y'],
    ['Alt and a letter', '\x1byy', '<foreign>y'],
    ['a cursor report', '\x1b[24;80Ry', '<foreign>y'],
    ['device attributes', '\x1b[?62;4c', '<foreign>'],
    ['focus in', '\x1b[I', '<foreign>'],
    ['a title report', '\x1b]ly\r\x1b\\z', '<foreign>z'],
    ['an OSC ended by BEL', '\x1b]52;c;eQ==\x07z', '<foreign>z'],
    ['a DCS reply', '\x1bP1$r0m\ny\n\x1b\\', '<foreign>'],
    ['a paste', '\x1b[200~y\n\x1b[201~', '<paste>'],
    ['a paste that holds its own start', '\x1b[200~a\x1b[200~y\r\x1b[201~', '<paste>'],
    ['other controls', '\x00\x1a\x11', '<foreign><foreign><foreign>'],
  ])('reads %s', (_name, bytes, expected) => {
    expect(summary(read([bytes]))).toBe(expected);
  });

  test('is the same however the bytes were split', () => {
    const piece = fc.constantFrom(
      'y',
      '\r',
      '\x1b',
      '[',
      '200~',
      '201~',
      '\x1b[200~',
      '\x1b[201~',
      ']',
      '\x07',
      '\\',
      'O',
      '\x03',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const whole = pieces.join('');
        expect(summary(read([...whole]))).toBe(summary(read([whole])));
      }),
      { numRuns: 1000 },
    );
  });

  test('forgets a lone Escape after a moment, and a paste without an end after silence', () => {
    expect(summary(read(['\x1b', 'y'], 500))).toBe('<foreign>y');
    expect(summary(read(['\x1b[200~a', 'b\r', 'y'], 1500))).toBe('');
    expect(summary(read(['\x1b[200~a', 'y\r'], 3000))).toBe('<foreign>y<enter>');
  });

  test('bounds a paste and an endless sequence', () => {
    const pasted = read([`\x1b[200~${'x'.repeat(200_000)}\x1b[201~y`]);
    expect(summary(pasted)).toBe('<paste>y');
    expect(pasted[0]?.kind === 'paste' && pasted[0].bytes.length).toBeLessThan(65_537);
    expect(summary(read([`\x1b[${'1;'.repeat(1000)}`])).length).toBeGreaterThan(0);
  });
});
