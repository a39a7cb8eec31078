import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAnswer, questionSchema, type Question } from './question.js';

const YES_NO: Question = { kind: 'yes_no' };
const NAME: Question = { kind: 'typed', prompt: ['Type the profile name'], expected: 'web' };
const SECRET: Question = { kind: 'secret', prompt: ['Passphrase'], maxBytes: 8 };

describe('parseAnswer', () => {
  test.each(['y', 'Y'])('takes %j as yes', (line) => {
    expect(parseAnswer(YES_NO, line)).toEqual({ kind: 'yes' });
  });

  test('takes everything else as no', () => {
    const anything = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('', ' y', 'y ', 'yes', 'yy', 'Yes', 'ｙ', 'y\u200b', 'у'),
    );
    fc.assert(
      fc.property(
        anything,
        (line) => line === 'y' || line === 'Y' || parseAnswer(YES_NO, line).kind === 'no',
      ),
    );
  });

  test('keeps the reason behind n, bounded', () => {
    expect(parseAnswer(YES_NO, 'n wrong host')).toEqual({ kind: 'no', reason: 'wrong host' });
    expect(parseAnswer(NAME, 'N  later ')).toEqual({ kind: 'no', reason: 'later' });
    expect(parseAnswer(YES_NO, 'n')).toEqual({ kind: 'no' });
    expect(parseAnswer(YES_NO, `n ${'😀'.repeat(900)}`)).toEqual({ kind: 'no', reason: '😀'.repeat(500) });
  });

  test('takes a typed question only by its exact answer', () => {
    expect(parseAnswer(NAME, 'web')).toEqual({ kind: 'yes' });
    for (const line of ['', 'y', 'WEB', 'web ', 'we', 'n', 'yes'])
      expect(parseAnswer(NAME, line).kind).toBe('no');
  });

  test('never reads n as a yes, even where n is the expected answer', () => {
    expect(parseAnswer({ ...NAME, expected: 'n' }, 'n')).toEqual({ kind: 'no' });
  });

  test('keeps the bytes of a secret as typed and refuses empty and too long ones', () => {
    const bytes = Uint8Array.from([0x79, 0xff, 0xfe]);
    expect(parseAnswer(SECRET, bytes)).toEqual({ kind: 'secret', value: bytes });
    expect(parseAnswer(SECRET, 'n')).toEqual({ kind: 'secret', value: Uint8Array.from([0x6e]) });
    expect(parseAnswer(SECRET, '')).toEqual({ kind: 'no' });
    expect(parseAnswer({ ...SECRET, allowEmpty: true }, '').kind).toBe('secret');
    expect(parseAnswer(SECRET, '123456789')).toEqual({ kind: 'no' });
  });

  test('takes bytes that are no UTF-8 as no', () => {
    expect(parseAnswer(YES_NO, Uint8Array.from([0x79, 0x80]))).toEqual({ kind: 'no' });
    expect(parseAnswer(YES_NO, Uint8Array.from([0xef, 0xbb, 0xbf, 0x79]))).toEqual({ kind: 'no' });
  });
});

describe('questionSchema', () => {
  test('refuses unknown kinds and keys', () => {
    expect(questionSchema.safeParse({ kind: 'yes_no', expected: 'y' }).success).toBe(false);
    expect(questionSchema.safeParse({ kind: 'any_key' }).success).toBe(false);
    expect(questionSchema.safeParse(SECRET).success).toBe(true);
  });
});
