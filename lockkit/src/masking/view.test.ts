import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldCharacter, INVISIBLE_CODE } from './fold-character.js';
import { compileLiterals, scanLiterals } from './literal-scan.js';
import { PendingBytes } from './pending-bytes.js';
import { hostileText } from './test/hostile-text.js';
import { characterStart, completeLength, toValidUtf8 } from './utf8.js';
import { openViews } from './view.js';

const shown = (text: string): readonly string[] =>
  openViews(Buffer.from(text)).map((view) => Buffer.from(view.bytes).toString());

describe('openViews', () => {
  it('is the text itself when it is plain', () => {
    expect(shown('a\tb\r\n')).toEqual(['a\tb\r\n']);
  });

  it('takes invisible characters out and folds digits, signs and spaces', () => {
    expect(shown('a\u200bb\u00a0\uff11\u0664\u2011\uff20é')).toEqual(['ab 14-@é']);
  });

  it('lets control characters vanish in one view and separate in another', () => {
    expect(shown('a\u001b[1;31mb\u0001c')).toEqual(['abc', 'a b c']);
    expect(shown('p\bpw\bw')).toEqual(['pw', 'pw']);
    expect(shown('\u001b]8;;u\u0007x')).toEqual(['x', ' 8;;u x']);
    expect(shown('A=1\0B=2\0')).toEqual(['A=1\nB=2', 'A=1\nB=2\n']);
  });

  it('maps every place back to the raw bytes it stands for', () => {
    fc.assert(
      fc.property(hostileText(), (text) => {
        const raw = Buffer.from(text);
        for (const view of openViews(raw)) {
          let last = 0;
          for (let at = 0; at < view.length; at++) {
            const from = view.rawStart(at);
            const to = view.rawEnd(at + 1);
            expect(from).toBeGreaterThanOrEqual(last === 0 ? 0 : from === last - 1 ? from : 0);
            expect(to).toBeGreaterThan(from);
            expect(to).toBeLessThanOrEqual(raw.length);
            if ((view.bytes[at] as number) > 0x20 && to - from === 1) expect(raw[from]).toBe(view.bytes[at]);
            last = to;
          }
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('foldCharacter', () => {
  it('folds every decimal digit of Unicode to its ASCII digit', () => {
    for (let point = 0x80; point < 0x20000; point++) {
      if (!/^\p{Nd}$/u.test(String.fromCodePoint(point))) continue;
      let zero = point;
      while (/^\p{Nd}$/u.test(String.fromCodePoint(zero - 1)) && point - zero < 9 && !isZero(zero)) zero -= 1;
      expect(foldCharacter(point), point.toString(16)).toBe(0x30 + (point - zero));
    }
  });

  it('makes bidi controls, zero-width characters and tags invisible', () => {
    for (const point of [0x00ad, 0x200b, 0x200d, 0x202e, 0x2066, 0xfeff, 0xfe0f, 0xe0041]) {
      expect(foldCharacter(point)).toBe(INVISIBLE_CODE);
    }
  });
});

/** The mathematical digits are five alphabets in a row. */
function isZero(point: number): boolean {
  return foldCharacter(point) === 0x30;
}

describe('scanLiterals', () => {
  it('finds what a search for each literal finds', () => {
    const words = fc.uniqueArray(
      fc.string({ unit: fc.constantFrom('a', 'b', 'c', '1', ':'), minLength: 1, maxLength: 4 }),
      { minLength: 1, maxLength: 8 },
    );
    const text = fc.string({
      unit: fc.constantFrom('a', 'A', 'b', 'B', 'c', '1', '2', ':', ' '),
      maxLength: 40,
    });
    fc.assert(
      fc.property(words, text, (literals, searched) => {
        const found: string[] = [];
        const runs: string[] = [];
        const bytes = Buffer.from(searched);
        scanLiterals(
          compileLiterals(literals),
          bytes,
          bytes.length,
          (literal, end) => found.push(`${literals[literal] ?? ''}@${end}`),
          (start, end) => runs.push(searched.slice(start, end)),
        );
        const expected: string[] = [];
        for (const literal of literals) {
          for (let end = literal.length; end <= searched.length; end++) {
            if (searched.slice(end - literal.length, end).toLowerCase() === literal)
              expected.push(`${literal}@${end}`);
          }
        }
        expect([...found].sort()).toEqual(expected.sort());
        expect(runs).toEqual(searched.match(/\d+/g) ?? []);
      }),
      { numRuns: 300 },
    );
  });
});

describe('utf8', () => {
  it('finds the same characters however the bytes are split', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 30 }), fc.nat(30), (noise, cut) => {
        const bytes = Buffer.concat([Buffer.from('aé\u{1f600}'), Buffer.from(noise)]);
        const first = bytes.subarray(0, Math.min(cut, bytes.length));
        const complete = completeLength(first);
        const joined =
          toValidUtf8(first.subarray(0, complete)).toString() +
          toValidUtf8(bytes.subarray(complete)).toString();
        expect(joined).toBe(bytes.toString('utf8'));
      }),
      { numRuns: 500 },
    );
  });

  it('cuts before a character, never inside', () => {
    expect(characterStart(Buffer.from('aé'), 2)).toBe(1);
    expect(characterStart(Buffer.from('aé'), 3)).toBe(3);
  });
});

describe('PendingBytes', () => {
  it('is the concatenation of what was appended without what was dropped', () => {
    const step = fc.oneof(fc.uint8Array({ maxLength: 20 }), fc.nat(10));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const pending = new PendingBytes();
        let expected = Buffer.alloc(0);
        for (const one of steps) {
          if (typeof one === 'number') {
            const count = Math.min(one, expected.length);
            pending.drop(count);
            expected = expected.subarray(count);
          } else {
            pending.append(Buffer.from(one));
            expected = Buffer.concat([expected, one]);
          }
          expect(pending.slice(0, pending.length)).toEqual(expected);
        }
      }),
      { numRuns: 200 },
    );
  });
});
