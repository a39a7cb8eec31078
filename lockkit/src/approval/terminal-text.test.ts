import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { terminalText } from './terminal-text.js';

test('terminalText: keeps lines, tabs, columns, letters of all scripts and placeholders', () => {
  const text = 'a\tb\n  ⟦email:7F3KQ2M9ZD4X⟧   jörg 日本 🙂\n';
  expect(terminalText(text)).toBe(text);
});

test('terminalText: control, bidi and invisible characters become visible, whatever stands around them', () => {
  expect(terminalText('a\u001b[2Jb\r\u0007\u202e\u200b\ud800')).toBe(
    'a\\x1b[2Jb\\xd\\x7\\u{202e}\\u{200b}\\u{d800}'.replace('\\xd', '\\x0d').replace('\\x7', '\\x07'),
  );
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(terminalText(text)).not.toMatch(/[\p{Cf}\p{Cs}]|(?![\n\t])\p{Cc}/u);
    }),
  );
});
