import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ALL_DETECTORS, DEFAULT_DETECTORS, type DetectorName } from './detector.js';
import { parseMaskRule, type MaskRule } from './mask-rule.js';
import { openMasker, type Masker, type MaskerSettings } from './masker.js';
import { hostileText } from './test/hostile-text.js';

const KEY = randomBytes(32);
const SETTINGS: MaskerSettings = {
  detectors: DEFAULT_DETECTORS,
  key: KEY,
  maskRules: [],
  agentRules: [],
  allow: [],
};
const masker = openMasker(SETTINGS);
const maskText = (text: string, by: Masker = masker): string => by.mask(Buffer.from(text)).text;

function rules(...patterns: readonly string[]): readonly MaskRule[] {
  return patterns.map((pattern) => {
    const rule = parseMaskRule(pattern);
    if (!rule.ok) throw new Error('a test rule was refused');
    return rule.value;
  });
}

describe('openMasker: placeholders', () => {
  it('gives one value one name in a run and another in the next', () => {
    const other = openMasker({ ...SETTINGS, key: randomBytes(32) });
    expect(maskText('A@Example.org')).toBe(maskText('a@example.org'));
    expect(maskText('a@example.org')).toMatch(/^⟦email:[0-9A-HJKMNP-TV-Z]{12}⟧$/);
    expect(maskText('a@example.org', other)).not.toBe(maskText('a@example.org'));
  });

  it('lets no output forge a placeholder', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('⟦', '⟧', 'secret', 'email:', 'a@b.org', ' ', 'x') }),
        (text) => {
          const placeholders = maskText(text).match(/⟦[^⟦⟧]*⟧/g) ?? [];
          expect(placeholders.every((one) => /^⟦(?:lb|rb|secret|email:[0-9A-Z]{12})⟧$/.test(one))).toBe(true);
          expect(maskText(text).replace(/⟦[^⟦⟧]*⟧/g, '')).not.toMatch(/[⟦⟧]/);
        },
      ),
    );
  });

  it('leaves everything outside values byte for byte', () => {
    const text = 'a\r\n\tb \u00e9\u0000 \u001b[1mx\u001b[0m ';
    expect(maskText(text)).toBe(text);
    expect(maskText(`${text}bob@example.org ${text}`)).toBe(`${text}${maskText('bob@example.org')} ${text}`);
  });

  it('counts by kind', () => {
    const { masked } = masker.mask(Buffer.from('bob@example.org 10.0.0.1 10.0.0.2 password=hunter2'));
    expect(masked).toEqual({ email: 1, ip: 2, secret: 1 });
  });

  it('shows invalid UTF-8 as U+FFFD, wherever it stands', () => {
    expect(masker.mask(Buffer.from([0x61, 0xff, 0x62, 0xe2, 0x82])).text).toBe('a\ufffdb\ufffd');
    expect(masker.mask(Buffer.from([0xc0, 0x80, 0xed, 0xa0, 0x80])).text).toMatch(/^\ufffd+$/);
  });
});

describe('openMasker: union of detectors', () => {
  it('never shows with more detectors what fewer hid', () => {
    fc.assert(
      fc.property(
        hostileText(),
        fc.subarray([...ALL_DETECTORS]),
        fc.constantFrom(...ALL_DETECTORS),
        (text, some, one) => {
          const clearOf = (detectors: readonly DetectorName[]): boolean[] =>
            clearBytes({ ...SETTINGS, detectors }, text);
          const few = clearOf(some);
          const more = clearOf([...some, one]);
          expect(more.every((isClear, at) => !isClear || few[at])).toBe(true);
        },
      ),
      { numRuns: 150 },
    );
  });
});

/** For each byte of the text: is it outside every hidden value? */
function clearBytes(settings: MaskerSettings, text: string): boolean[] {
  const bytes = Buffer.from(text);
  const clear = Array.from(bytes, () => true);
  let lineFrom = [0];
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lineFrom = [...lineFrom, at + 1];
  for (const { line, column, lengthBytes } of openMasker(settings).explain(bytes)) {
    const from = (lineFrom[line - 1] ?? 0) + column - 1;
    clear.fill(false, from, from + lengthBytes);
  }
  return clear;
}

describe('openMasker: allowed values', () => {
  const allowing = openMasker({ ...SETTINGS, allow: [{ kind: 'email', value: 'Support@example.com' }] });

  it('keeps an allowed value in clear in any spelling, and no other', () => {
    expect(maskText('support@EXAMPLE.com', allowing)).toBe('support@EXAMPLE.com');
    expect(maskText('xsupport@example.com', allowing)).not.toContain('@');
  });

  it('keeps it hidden where another detector finds it too', () => {
    expect(maskText('password=support@example.com', allowing)).toBe('password=⟦secret⟧');
  });
});

describe('openMasker: mask rules', () => {
  it('hides what a rule matches under a name of its own', () => {
    const ruled = openMasker({ ...SETTINGS, maskRules: rules('cust-[0-9]{6}') });
    expect(maskText('id cust-123456 ok', ruled)).toMatch(/^id ⟦mask:[0-9A-Z]{12}⟧ ok$/);
  });

  it('unites reviewed rules whatever their order, and never shows a tail', () => {
    for (const order of [rules('sk-live', 'sk-live-12345'), rules('sk-live-12345', 'sk-live')]) {
      expect(maskText('a sk-live-12345 b', openMasker({ ...SETTINGS, maskRules: order }))).toMatch(
        /^a ⟦mask:\w{12}⟧ b$/,
      );
    }
  });

  it('shows agents’ rules only what earlier rules left clear', () => {
    const ruled = openMasker({
      ...SETTINGS,
      maskRules: rules('abc'),
      agentRules: rules('ab', 'bcd', '[A-Z0-9]{12}'),
    });
    expect(maskText('abcd', ruled)).toMatch(/^⟦mask:\w{12}⟧d$/);
  });

  it('sees through invisible characters', () => {
    const ruled = openMasker({ ...SETTINGS, maskRules: rules('cust-[0-9]{6}') });
    expect(maskText('cust-\u200b123\u001b[1m456', ruled)).toMatch(/^⟦mask:\w{12}⟧$/);
  });

  it('bounds a rule that matches everything', () => {
    const ruled = openMasker({ ...SETTINGS, maskRules: rules('(?s).+') });
    expect(maskText('x'.repeat(512 * 1024), ruled)).toMatch(/^⟦mask:\w{12}⟧$/);
  });

  it('tells nothing about masked values: texts that differ only in them differ only in names', () => {
    const values = fc.constantFrom(
      'bob@example.org',
      'al@b.co',
      '10.0.0.1',
      '2001:db8::7',
      '+14155552671',
      '4012888888881881',
    );
    const game = fc.record({
      pieces: fc.array(fc.constantFrom('a', ' x ', '\n', 'cust-123456', '⟦', 'é', ' 12 ', '-'), {
        minLength: 2,
        maxLength: 8,
      }),
      left: values,
      right: values,
      pattern: fc.constantFrom(
        '.',
        '.*',
        '[A-Z0-9]{12}',
        'cust-[0-9]+',
        '(?s).+',
        '@',
        '[0-9]',
        '^',
        'a|b|1',
        '\\pL+',
        '⟦',
        '.{3}',
      ),
    });
    fc.assert(
      fc.property(game, ({ pieces, left, right, pattern }) => {
        const rule = parseMaskRule(pattern);
        if (!rule.ok) return;
        const ruled = openMasker({ ...SETTINGS, agentRules: [rule.value] });
        const shape = (value: string): string => nameless(maskText(pieces.join(` ${value} `), ruled));
        expect(shape(left)).toBe(shape(right));
      }),
      { numRuns: 300 },
    );
  });
});

/** Without names and kinds: only that something is hidden. */
function nameless(text: string): string {
  return text.replace(/⟦(?:email|ip|phone|card):[0-9A-Z]{12}⟧/g, '⟦value⟧');
}

describe('openMasker: commands and explanations', () => {
  it('masks the arguments of a command for the audit', () => {
    expect(masker.maskArgv(['mysql', '--password', 'hunter2', '-u', 'bob'])).toEqual([
      'mysql',
      '--password',
      '⟦secret⟧',
      '-u',
      'bob',
    ]);
    expect(masker.maskArgv(['echo', 'password=two words', 'x'])).toEqual(['echo', 'password=⟦secret⟧', 'x']);
    expect(masker.maskArgv(['curl', '-u', 'bob:hunter2', 'https://h/'])).toEqual([
      'curl',
      '-u',
      '⟦secret⟧',
      'https://h/',
    ]);
    expect(masker.maskArgv(['grep', 'bob@example.org', 'f'])[1]).toMatch(/^⟦email:/);
    expect(masker.maskArgv([])).toEqual([]);
  });

  it('explains by place, length and detector, never by value', () => {
    const explained = masker.explain(Buffer.from('x\ny 10.0.0.1 password=hunter2\n'));
    expect(explained).toEqual([
      { line: 2, column: 3, lengthBytes: 8, kind: 'ip', why: 'IPv4 address' },
      { line: 2, column: 21, lengthBytes: 7, kind: 'secret', why: 'value of password' },
    ]);
    expect(JSON.stringify(explained)).not.toContain('hunter2');
  });
});

describe('openMasker: other forms of a secret in the same output', () => {
  const value = 'p@ss/w0rd!x';
  it.each([
    ['base64', Buffer.from(value).toString('base64')],
    ['base64 inside a longer text', Buffer.from(`user:${value}:x`).toString('base64')],
    ['base64url', Buffer.from(value).toString('base64url')],
    ['percent encoding', encodeURIComponent(value)],
    ['hex', Buffer.from(value).toString('hex')],
  ])('hides %s, before and after the secret', (_name, form) => {
    expect(maskText(`see ${form} here\npassword=${value}\nsee ${form} here`)).toBe(
      'see ⟦secret⟧ here\npassword=⟦secret⟧\nsee ⟦secret⟧ here',
    );
  });

  it('does not hide an equal word', () => {
    expect(maskText('docker test password=test and test again')).toBe(
      'docker test password=⟦secret⟧ and test again',
    );
  });
});
