import { describe, expect, test } from 'vitest';
import { isClear } from './code-point.js';
import { visibleText } from './visible.js';

describe('isOld', () => {
  test.each([
    ['an ideograph of 2022', '\u{31b04}', '\\u{31b04}'],
    ['a hieroglyph of 2024', '\u{141dc}', '\\u{141dc}'],
    ['a letter of 2024', '\ua7da', '\\u{a7da}'],
    ['an emoji of 2021', '\u{1fae0}', '\\u{1fae0}'],
    ['a letter in disguise', '\u{1d400}', '\\u{1d400}'],
    ['an emoji of 2010', '😀', '😀'],
    ['an ideograph of 2001', '\u{20000}', '\u{20000}'],
  ])('%s', (_name, text, shown) => expect(visibleText(text)).toBe(shown));

  test('a Node.js that knows more characters needs its table looked at again', () => {
    let clear = 0;
    for (let code = 0; code <= 0x10ffff; code++)
      if ((code < 0xd800 || code > 0xdfff) && isClear(String.fromCodePoint(code), 'line')) clear++;
    expect(clear).toBe(108_668);
  });
});
