import { describe, expect, test } from 'vitest';
import { checkKey, isKeyPrefix, isSourceKey, MAX_KEY_BYTES } from './source-key.js';

describe('checkKey', () => {
  test.each([
    'invoices/2026/10/abc123.pdf',
    'a',
    'a b/ç.txt',
    '.hidden/..x/...',
    'a:b*c?',
    'x'.repeat(MAX_KEY_BYTES),
  ])('takes %j', (key) => {
    expect(checkKey(key, '')).toStrictEqual({ ok: true, value: key });
  });

  test.each([
    '',
    '/etc/passwd',
    'a//b',
    'a/',
    '..',
    '../x',
    'a/../b',
    './a',
    'a/.',
    'a\u0000b',
    'a\nb',
    'a\u202eb',
    'a\u200bb',
    'a\\..\\b',
    '\ud800',
    'x'.repeat(MAX_KEY_BYTES + 1),
    'é'.repeat(MAX_KEY_BYTES / 2 + 1),
  ])('refuses %j', (key) => {
    expect(checkKey(key, '')).toStrictEqual({ ok: false, code: 'E_BAD_KEY' });
  });

  test('a key outside the prefix has its own code', () => {
    expect(checkKey('invoices/a', 'invoices/').ok).toBe(true);
    expect(checkKey('other/a', 'invoices/')).toStrictEqual({ ok: false, code: 'E_KEY_OUTSIDE_PREFIX' });
    expect(checkKey('invoices/../other', 'invoices/')).toStrictEqual({ ok: false, code: 'E_BAD_KEY' });
  });

  test('a prefix is what a key can begin with', () => {
    for (const prefix of ['', 'a', 'a/', 'a/b', 'a/.', 'a/..']) expect(isKeyPrefix(prefix)).toBe(true);
    for (const prefix of ['/', '/a', 'a//', '../', 'a/../']) expect(isKeyPrefix(prefix)).toBe(false);
    expect(isSourceKey('a/.')).toBe(false);
  });
});
