import fc from 'fast-check';
import RE2 from 're2';
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { parseAllowValue } from './allow-value.js';
import { compileRule, findMatches, MAX_PATTERN_BYTES, parseMaskRule } from './mask-rule.js';

describe('parseMaskRule', () => {
  it.each([
    ['cust-[0-9]{6}'],
    ['(a+)+$'],
    ['\\pN{6}'],
    ['\\Qa.b\\E'],
    ['(?i)secret'],
    ['[[:alpha:]]+'],
    ['x{2,3}'],
    ['é+'],
  ])('takes %j', (pattern) => {
    expect(parseMaskRule(pattern).ok).toBe(true);
  });

  it.each([
    [''],
    ['a*'],
    ['x|'],
    ['^'],
    ['(?=x)'],
    ['(a)\\1'],
    ['a**b('],
    ['a{1001}'],
    ['('],
    ['a\nb'],
    ['a'.repeat(MAX_PATTERN_BYTES + 1)],
    ['((a{100}){100}){100}'],
  ])('refuses %j', (pattern) => {
    expect(parseMaskRule(pattern)).toEqual({ ok: false, code: 'E_BAD_PATTERN' });
  });

  it('takes and finds what another RE2 does', () => {
    const pattern = fc
      .array(
        fc.constantFrom(
          'a',
          'b',
          '.',
          '[ab]',
          '(a|b)',
          'a+',
          'b?',
          '\\d',
          '\\w{2}',
          '|',
          '^',
          '$',
          '\\b',
          'é',
        ),
        { minLength: 1, maxLength: 5 },
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(
        pattern,
        fc.string({ unit: fc.constantFrom('a', 'b', '1', ' ', 'é', '\n'), maxLength: 12 }),
        (source, text) => {
          const oracle = RE2JS.compile(source);
          expect(parseMaskRule(source).ok).toBe(!oracle.matcher('').find());
          const matcher = oracle.matcher(text);
          let first: string | undefined;
          while (first === undefined && matcher.find()) first = (matcher.group() ?? '') || undefined;
          const bytes = Buffer.from(text);
          const [place] = findMatches([compileRule(source)], bytes);
          expect(place === undefined ? undefined : bytes.toString('utf8', ...place)).toBe(first);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('findMatches', () => {
  it('unites the matches of several rules and skips empty ones', () => {
    const rules = [new RE2('b*', 'gu'), new RE2('ab', 'gu')];
    expect(findMatches(rules, Buffer.from('éabbc'))).toEqual([[2, 5]]);
  });
});

describe('parseAllowValue', () => {
  it('takes a value of a kind that is no secret', () => {
    expect(parseAllowValue('email', 'support@example.com').ok).toBe(true);
  });

  it.each([
    ['secret', 'x'],
    ['nonsense', 'x'],
    ['email', ' '],
    ['email', 'a\nb'],
    ['email', 'a'.repeat(600)],
  ])('refuses %s %j', (kind, value) => {
    expect(parseAllowValue(kind, value)).toEqual({ ok: false, code: 'E_BAD_ALLOW' });
  });
});
