import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeFromConsole, encodeToConsole, parseFromConsole, parseToConsole } from './messages.js';

const bytes = (text: string): Uint8Array => Buffer.from(text);
const screen = { title: ['x'], origin: [], sections: [], warnings: [] };
const question = { kind: 'yes_no' };

describe('parseFromConsole', () => {
  test.each([
    ['hello', { kind: 'hello', v: 1, lock: 'lockssh', instance: '', profile: 'web' }],
    ['a question', { kind: 'ask', id: 1, screen: { ...screen, question }, about: {} }],
    ['a page', { kind: 'show', id: 2, screen }],
    ['news', { kind: 'note', line: ['a ', { kind: 'untrusted', text: '\u001b[2J' }] }],
    ['a withdrawal', { kind: 'withdraw', id: 1, why: 'no_answer' }],
    ['commands', { kind: 'commands', names: [':review', ':quit'] }],
  ])('reads back what was encoded: %s', (_name, message) => {
    const read = parseFromConsole(bytes(encodeFromConsole(message as never).slice(0, -1)));
    expect(read).toEqual({ ok: true, value: message });
  });

  test.each([
    ['no JSON', '{'],
    ['an unknown kind', '{"kind":"approve","id":1}'],
    ['an unknown key', JSON.stringify({ kind: 'show', id: 1, screen, extra: 1 })],
    [
      'an unknown key in a screen',
      JSON.stringify({ kind: 'show', id: 1, screen: { ...screen, style: 'x' } }),
    ],
    ['a question without a question', JSON.stringify({ kind: 'ask', id: 1, screen, about: {} })],
    ['a page with a question', JSON.stringify({ kind: 'show', id: 1, screen: { ...screen, question } })],
    [
      'a ticket id with a control',
      JSON.stringify({ kind: 'ask', id: 1, screen: { ...screen, question }, about: { ticket: 't_\u001b' } }),
    ],
    ['an id of zero', JSON.stringify({ kind: 'withdraw', id: 0, why: 'withdrawn' })],
    ['a number as a line', '{"kind":"note","line":[1]}'],
    ['a list', '[]'],
    ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22]).toString('latin1')],
  ])('refuses %s', (_name, line) => {
    expect(parseFromConsole(Buffer.from(line, 'latin1'))).toEqual({ ok: false, code: 'E_BAD_MESSAGE' });
  });
});

describe('parseToConsole', () => {
  test('carries a secret byte for byte', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), (value) => {
        const line = encodeToConsole({ kind: 'answer', id: 7, answer: { kind: 'secret', value } });
        const read = parseToConsole(bytes(line.trimEnd()));
        expect(read.ok && read.value).toEqual({ kind: 'answer', id: 7, answer: { kind: 'secret', value } });
      }),
    );
  });

  test.each([
    ['yes with a reason', '{"kind":"answer","id":1,"answer":{"kind":"yes","reason":"x"}}'],
    ['an answer without an id', '{"kind":"answer","answer":{"kind":"yes"}}'],
    ['a bare yes', '{"kind":"yes"}'],
    ['a command that there is not', '{"kind":"command","name":":approve","argument":""}'],
    ['no_answer, which only the console says', '{"kind":"answer","id":1,"answer":{"kind":"no_answer"}}'],
  ])('refuses %s', (_name, line) => {
    expect(parseToConsole(bytes(line))).toEqual({ ok: false, code: 'E_BAD_MESSAGE' });
  });

  test('never takes anything but an exact answer for a yes', () => {
    const word = fc.constantFrom(
      '{',
      '}',
      '"kind"',
      ':',
      '"answer"',
      '"yes"',
      ',',
      '"id"',
      '1',
      '"no"',
      '[',
      ']',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 20 }), (words) => {
        const read = parseToConsole(bytes(words.join('')));
        if (!read.ok || read.value.kind !== 'answer' || read.value.answer.kind !== 'yes') return;
        expect(JSON.parse(words.join(''))).toEqual({ kind: 'answer', id: 1, answer: { kind: 'yes' } });
      }),
      { numRuns: 2000 },
    );
  });
});
