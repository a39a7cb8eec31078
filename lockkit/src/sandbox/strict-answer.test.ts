import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAnswer } from './strict-answer.js';

const parse = (text: string): 0 | 1 | null => parseAnswer(Buffer.from(text), Buffer.byteLength(text));

describe('parseAnswer', () => {
  it.each([
    ['0', 0],
    ['1', 1],
    ['0\n', 0],
    ['1\n', 1],
  ] as const)('reads %j', (text, answer) => expect(parse(text)).toBe(answer));

  it.each([
    '',
    '\n',
    '10',
    '01',
    '1\n\n',
    '1\r\n',
    '1\r',
    ' 1',
    '1 ',
    '2',
    '１',
    'true',
    '\u00001',
    '1\u0000',
    '+1',
  ])('refuses %j', (text) => expect(parse(text)).toBeNull());

  it('never answers when there were more bytes than it was shown', () => {
    expect(parseAnswer(Buffer.from('1'), 3)).toBeNull();
    expect(parseAnswer(Buffer.from('1\n'), 1_000_000)).toBeNull();
  });

  it('answers for no other bytes than the four forms', () => {
    const forms = new Set(['0', '1', '0\n', '1\n']);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 4 }), (bytes) => {
        const isForm = forms.has(Buffer.from(bytes).toString('latin1'));
        expect(parseAnswer(bytes, bytes.length) !== null).toBe(isForm);
      }),
    );
  });
});
