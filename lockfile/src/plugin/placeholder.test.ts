import { describe, expect, test } from 'vitest';
import { parseInputKey, parsePlaceholder } from './placeholder.js';

describe('parsePlaceholder', () => {
  test('gives the name of a placeholder', () => {
    expect(parsePlaceholder('${email}')).toStrictEqual({ ok: true, value: 'email' });
  });

  test.each([
    'alice@example.org',
    '',
    '${}',
    '${Email}',
    '$email',
    '{email}',
    ' ${email}',
    '${email} ',
    '${email}${x}',
    '${a}b${c}',
    'x${email}',
    '${email}\n',
    '${é}',
    `\${${'a'.repeat(33)}}`,
  ])('refuses the literal %j', (text) => {
    expect(parsePlaceholder(text)).toStrictEqual({ ok: false, code: 'E_LITERAL_INPUT' });
  });
});

describe('parseInputKey', () => {
  test('parts at the last dot', () => {
    expect(parseInputKey('pdf.contains.needle')).toStrictEqual({
      ok: true,
      value: { plugin: 'pdf.contains', input: 'needle' },
    });
  });

  test.each(['needle', '.needle', 'pdf.', 'pdf.Needle', ''])('refuses %j', (text) => {
    expect(parseInputKey(text)).toStrictEqual({ ok: false, code: 'E_UNKNOWN_INPUT' });
  });
});
