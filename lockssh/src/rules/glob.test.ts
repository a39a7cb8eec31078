import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchGlob, parseGlob } from './glob.js';

const match = (pattern: string, name: string): boolean | null => {
  const { match: matched, error } = matchGlob(pattern, name);
  return error === null ? matched : null;
};

describe('matchGlob: as path.Match does', () => {
  it.each([
    ['', '', true],
    ['', 'a', false],
    ['**', 'a/b', false],
    ['[^a]', '/', true],
    ['*[^x]*b', 'a/b', false],
    ['[\\^a]', '^', true],
    ['[a^]', '^', true],
    ['[^^]', '^', false],
    ['[!-~]', '/', true],
    ['[[-\\]]', '\\', true],
    ['[*]', '*', true],
    ['[?]b', 'xb', false],
    ['\\[a]', '[a]', true],
    ['a]', 'a]', true],
    ['{a,b}', 'a', false],
    ['é', 'e\u0301', false],
    ['[é-ü]', 'ö', true],
    ['*/*', 'a/', true],
    ['*/', 'a/b/', false],
  ])('%s on %s: %s', (pattern, name, expected) => {
    expect(match(pattern, name)).toBe(expected);
  });

  it.each([
    '[',
    '[]',
    '[^]',
    '[^',
    '[a',
    '[a-',
    '[a-]',
    '[--a]',
    '[a-b-c]',
    '[\\',
    '[a\\',
    'a\\',
    '[-]',
    '[]]',
    '*[',
  ])('reports %s whatever the name is', (pattern) => {
    for (const name of ['', 'a', '[', '/']) {
      expect(matchGlob(pattern, name)).toEqual({ match: false, error: 'bad_pattern' });
    }
  });

  it('says where the mistake is', () => {
    expect(parseGlob('ab[-x]')).toEqual({ ok: false, at: 3 });
    expect(parseGlob('ab\\')).toEqual({ ok: false, at: 2 });
    expect(parseGlob('😀[a-]')).toEqual({ ok: false, at: 3 });
  });

  it('an escaped text matches itself and nothing else', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (text, other) => {
        const pattern = [...text].map((character) => `\\${character}`).join('');
        expect(match(pattern, text)).toBe(true);
        expect(match(pattern, other)).toBe(text === other);
      }),
    );
  });

  it('never throws, and errs on the pattern alone', () => {
    const pattern = fc.string({ unit: fc.constantFrom('a', '-', '[', ']', '^', '\\', '*', '?', '/', '😀') });
    fc.assert(
      fc.property(pattern, fc.string(), fc.string(), (text, one, two) => {
        expect(matchGlob(text, one).error).toBe(matchGlob(text, two).error);
      }),
    );
  });

  it('200 stars against 4 KiB end', () => {
    expect(match(`${'a*'.repeat(200)}b`, 'a'.repeat(4096))).toBe(false);
  });
});
