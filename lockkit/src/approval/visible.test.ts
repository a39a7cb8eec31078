import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderArgv } from './render-argv.js';
import { joinUnits, makeVisible, visibleText } from './visible.js';

const codePoint = fc.integer({ min: 0, max: 0x10ffff }).map((value) => String.fromCodePoint(value));
const hostile = fc.constantFrom(
  '\\',
  '\n',
  "'",
  ' ',
  '\u0301',
  '\u202e',
  '⏎',
  '\u{e0041}',
  'а',
  'a',
  '\ud800',
  '\udc00',
  '\t',
  '{',
  '*',
  'x',
  'u',
);
const anyText = fc.array(fc.oneof(codePoint, hostile), { maxLength: 60 }).map((parts) => parts.join(''));

/** Reads visible text back. Written from the description of the form alone. */
function readBack(visible: string): string {
  return visible.replace(
    /\\u\{([0-9a-f]+)(?:\*(\d+))?\}|\\x([0-9a-f]{2})|\\([\\'])|⏎/g,
    (whole, hex, count, byte, literal) => {
      if (whole === '⏎') return '\n';
      if (literal !== undefined) return literal;
      return String.fromCodePoint(Number.parseInt(hex ?? byte, 16)).repeat(Number(count ?? 1));
    },
  );
}

function readArgvBack(visible: string): string[] {
  return [...visible.matchAll(/'((?:[^'\\]|\\.)*)'|([^ ']+)/gu)].map((m) => readBack(m[1] ?? m[2] ?? ''));
}

/** Lone surrogates beside each other must not join into another code point when they are read back. */
function sameUnits(a: string, b: string): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

describe('visibleText', () => {
  test('can always be read back: no text can pretend to hold or not to hold an escape', () => {
    fc.assert(
      fc.property(anyText, (text) => sameUnits(readBack(visibleText(text)), text)),
      { numRuns: 2000 },
    );
  });

  test('never emits a control, format, surrogate, private or unassigned code point or another blank', () => {
    fc.assert(
      fc.property(codePoint, (character) => {
        expect(visibleText(`a${character}b`)).not.toMatch(
          /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{DI}\u00a0\u3000]/u,
        );
      }),
      { numRuns: 5000 },
    );
  });

  test.each([
    ['ESC', '\u001b', '\\x1b'],
    ['8-bit CSI', '\u009b', '\\x9b'],
    ['DEL', '\u007f', '\\x7f'],
    ['newline', 'a\nb', 'a⏎b'],
    ['the newline mark itself', '⏎', '\\u{23ce}'],
    ['right-to-left override', '\u202e', '\\u{202e}'],
    ['tag', '\u{e0061}', '\\u{e0061}'],
    ['variation selector', 'a\ufe0f', 'a\\u{fe0f}'],
    ['lone surrogate', '\ud83d', '\\u{d83d}'],
    ['backslash', '\\x1b', '\\\\x1b'],
    ['no-break space', '\u00a0', '\\xa0'],
    ['braille blank', '\u2800', '\\u{2800}'],
    ['placeholder', '⟦secret⟧', '\\u{27e6}secret\\u{27e7}'],
    ['frame', '│ key', '\\u{2502} key'],
    ['Hebrew letters', 'א', '\\u{5d0}'],
    ['a Cyrillic letter in a Latin word', 'ex\u0430mple', 'ex\\u{430}mple'],
    ['a word in one other alphabet', 'привет', 'привет'],
    ['Japanese', '日本語のテキスト', '日本語のテキスト'],
    ['a mark without a base', '\u0301a', '\\u{301}a'],
    ['a mark over its base', 'e\u0301', 'e\u0301'],
    ['stacked marks', `e${'\u0301'.repeat(200)}`, 'e\u0301\u0301\\u{301*198}'],
    ['a run of blanks', `a${' '.repeat(300)}b`, 'a\\u{20*300}b'],
    ['a few blanks', 'a        b', 'a        b'],
    ['many newlines', '\n'.repeat(40), '\\u{a*40}'],
    ['an emoji family', '👩\u200d👩', '👩\\u{200d}👩'],
  ])('shows %s', (_name, text, expected) => {
    expect(visibleText(text)).toBe(expected);
  });

  test('keeps placeholders only in masked text', () => {
    expect(visibleText('⟦secret⟧│', 'masked')).toBe('⟦secret⟧\\u{2502}');
  });

  test('cuts at a code point and counts what it leaves out', () => {
    const visible = makeVisible('😀'.repeat(20), 'line', 15);
    expect(visible.hidden).toBe(5);
    expect(joinUnits(visible.units)).toBe(`${'😀'.repeat(15)}…[5 more characters not shown]`);
  });

  test('takes time in proportion to the length for one long run', () => {
    expect(makeVisible('x'.repeat(60_000), 'line', 65_536).units).toHaveLength(60_000);
    expect(makeVisible('\u0301'.repeat(60_000), 'line', 65_536).units).toHaveLength(1);
  });
});

describe('renderArgv', () => {
  test('shows every argument apart, two different argvs never alike', () => {
    fc.assert(
      fc.property(fc.array(anyText, { minLength: 1, maxLength: 5 }), (argv) => {
        expect(JSON.stringify(readArgvBack(renderArgv(argv)))).toBe(JSON.stringify(argv));
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    [['systemctl', 'status', 'nginx'], 'systemctl status nginx'],
    [['echo', ''], "echo ''"],
    [['echo', 'a, b'], "echo 'a, b'"],
    [['echo', `it's "x"`], `echo 'it\\'s "x"'`],
    [['echo', '~', '*', '$HOME'], "echo '~' '*' '$HOME'"],
    [['\u0455udo', 'ls'], "'\\u{455}udo' ls"],
    [['ѕсоре'], "'\\u{455}\\u{441}\\u{43e}\\u{440}\\u{435}'"],
    [['cat', 'évil', 'דוד'], "cat 'évil' '\\u{5d3}\\u{5d5}\\u{5d3}'"],
    [['echo', 'a\u2019 \u2018b'], "echo 'a\\u{2019} \\u{2018}b'"],
    [[''], "''"],
  ])('renders %j', (argv, expected) => {
    expect(renderArgv(argv)).toBe(expected);
  });
});
