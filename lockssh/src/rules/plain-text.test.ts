import { describe, expect, it } from 'vitest';
import { codePointsOf, isPlainCodePoint, utf8Bytes } from './plain-text.js';

const hidden: readonly (readonly [string, readonly number[]])[] = [
  ['C0 and DEL', [...Array.from({ length: 32 }, (_, index) => index), 0x7f]],
  ['C1', Array.from({ length: 32 }, (_, index) => 0x80 + index)],
  [
    'bidi controls',
    [0x61c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069],
  ],
  ['zero width', [0x200b, 0x200c, 0x200d, 0x2060, 0xfeff, 0x180e, 0x34f, 0xad]],
  ['invisible operators', [0x2061, 0x2062, 0x2063, 0x2064, 0x2065, 0x206a, 0x206f]],
  ['separators', [0x2028, 0x2029]],
  ['tags', [0xe0000, 0xe0001, 0xe0020, 0xe0041, 0xe007f]],
  ['variation selectors', [0xfe00, 0xfe0f, 0xe0100, 0xe01ef, 0x180b, 0x180c, 0x180d, 0x180f]],
  ['fillers', [0x115f, 0x1160, 0x3164, 0xffa0, 0x17b4, 0x17b5, 0x16fe4]],
  ['interlinear annotation', [0xfff9, 0xfffa, 0xfffb]],
  ['blank glyphs', [0x2800, 0x1d159]],
  ['musical and shorthand formats', [0x1d173, 0x1d17a, 0x1bca0, 0x1bca3]],
  ['surrogates', [0xd800, 0xdbff, 0xdc00, 0xdfff]],
  ['non-characters', [0xfdd0, 0xfffe, 0xffff, 0x1fffe, 0x10ffff]],
  ['outside Unicode', [-1, 0x110000]],
];

describe('isPlainCodePoint', () => {
  it.each(hidden)('refuses %s', (_name, codePoints) => {
    expect(codePoints.filter(isPlainCodePoint)).toEqual([]);
  });

  it('takes text of any script, marks, spaces and emoji', () => {
    const text = ' ~éЖא日本e\u0301\u00a0\u3000😀ก็';
    expect(codePointsOf(text).filter((codePoint) => !isPlainCodePoint(codePoint))).toEqual([]);
  });
});

describe('utf8Bytes', () => {
  it('counts as the encoder does', () => {
    const text = 'aé日😀\u{10ffff}\0';
    expect(utf8Bytes(text)).toBe(new TextEncoder().encode(text).length);
  });
});
