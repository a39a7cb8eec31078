import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ARGV_LIMITS, checkArgv } from './check-argv.js';

const code = (argv: unknown): string | null => {
  const outcome = checkArgv(argv);
  return outcome.ok ? null : outcome.code;
};
const fill = (count: number, value: string): string[] => Array.from({ length: count }, () => value);

describe('checkArgv', () => {
  it.each([
    ['none', []],
    ['no array', 'ls -l'],
    ['null', null],
    ['undefined', undefined],
    ['an object that looks like one', { 0: 'ls', length: 1 }],
    ['a number in it', ['ls', 5]],
    ['a hole in it', Object.assign([], { 0: 'ls', 2: 'x', length: 3 })],
    ['null in it', ['ls', null]],
    ['an array in it', ['ls', ['x']]],
    ['a String object in it', ['ls', Object('x') as unknown]],
    ['an empty program', ['']],
    ['an option as program', ['-x']],
    ['a plus as program', ['+x']],
    ['an assignment as program', ['A=1', 'ls']],
    ['an = inside the program', ['/bin/x=y']],
    ['a control in the program', ['ls\u0000']],
    ['a zero-width space', ['ls', 'a\u200bb']],
    ['an unpaired surrogate', ['ls', '\ud83d']],
    ['surrogates in the wrong order', ['ls', '\ude00\ud83d']],
    ['65 arguments', fill(65, 'a')],
    ['an argument over 4 KiB', ['a', 'x'.repeat(4097)]],
    ['an argument over 4 KiB in UTF-8 only', ['a', 'é'.repeat(2049)]],
    ['a program over 4 KiB', ['x'.repeat(4097)]],
    ['over 16 KiB in all', ['a', ...fill(4, 'x'.repeat(4096))]],
  ])('refuses %s', (_name, argv) => {
    expect(code(argv)).toBe('E_BAD_ARGV');
  });

  it.each([
    ['one program', ['ls']],
    ['64 arguments', fill(64, 'a')],
    ['an argument of 4 KiB', ['a', 'x'.repeat(4096)]],
    ['16 KiB in all', ['a', 'x'.repeat(4095), ...fill(3, 'x'.repeat(4096))]],
    ['empty arguments', ['ls', '', '']],
    ['a tab', ['ls', 'a\tb']],
    ['options', ['ls', '-l', '+x', 'A=1']],
    ['text of any script', ['ls', 'é日本', 'שלום', 'e\u0301', '😀']],
  ])('takes %s', (_name, argv) => {
    expect(checkArgv(argv)).toEqual({ ok: true, value: argv });
  });

  it('hands out a copy: what was checked is what runs', () => {
    const argv = ['ls', 'x'];
    const outcome = checkArgv(argv);
    argv[1] = '\u0000';
    expect(outcome).toEqual({ ok: true, value: ['ls', 'x'] });
  });

  it('never throws, and never takes more than the limits', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(['E_BAD_ARGV', null]).toContain(code(value));
      }),
    );
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 6 }), { maxLength: 80 }), (argv) => {
        const outcome = checkArgv(argv);
        if (!outcome.ok) return;
        expect(outcome.value.length).toBeLessThanOrEqual(ARGV_LIMITS.maxArguments);
        expect(outcome.value.join('')).not.toMatch(/[^\P{Cc}\t]|\p{Cf}|\p{Cs}/u);
      }),
    );
  });
});
