import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Command } from './command.js';
import { makeParser, parseFlags } from './parse-flags.js';
import { checkOperands, findCommand, splitArgv } from './split-argv.js';

const command = (words: readonly string[], operands: Command['operands']): Command => ({
  words,
  summary: '',
  description: '',
  flags: [
    { name: 'intent', param: 'intent', kind: 'text', summary: '' },
    { name: 'dry-run', param: 'dry_run', kind: 'boolean', summary: '' },
    { name: 'rule', param: 'rule', kind: 'list', summary: '' },
  ],
  operands,
  group: 'agent',
  run: () => Promise.resolve(0),
});
const run = command(['run'], { kind: 'argv', param: 'argv', name: 'PROGRAM' });
const add = command(['pii', 'add'], { kind: 'one', param: 'pattern', name: 'REGEXP' });

function parse(argv: readonly string[]) {
  const split = splitArgv(run, argv);
  return {
    flags: parseFlags(makeParser('lockssh', run, split.head), run, split.head),
    operands: split.operands,
  };
}

describe('splitArgv', () => {
  test.each([
    [['run', 'uptime'], ['uptime']],
    [
      ['run', '--', '-weird', '--'],
      ['-weird', '--'],
    ],
    [
      ['run', 'tail', '-n', '1e3', '--json'],
      ['tail', '-n', '1e3', '--json'],
    ],
    [
      ['run', '--intent', '--dry-run', 'a', '--intent', 'b'],
      ['a', '--intent', 'b'],
    ],
    [
      ['run', '--json', 'echo', '007', ''],
      ['echo', '007', ''],
    ],
  ])('%j', (argv, operands) => {
    expect(parse(argv).operands).toEqual(operands);
  });

  test('run: what stands behind -- arrives as it was typed', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }), (operands) => {
        expect(parse(['run', '--dry-run', '--', ...operands])).toEqual({
          flags: { dry_run: true },
          operands,
        });
      }),
    );
  });

  test('values stay text, lists keep their order', () => {
    expect(parse(['run', '--intent', '007', '--rule', 'a *', '--rule=-x', 'p']).flags).toEqual({
      intent: '007',
      rule: ['a *', '-x'],
    });
  });

  test.each([
    [['run', '--intnet', 'x']],
    [['run', '--intent']],
    [['run', '--json=maybe', 'x']],
    [['run', '--intent', 'a', '--intent', 'b', 'x']],
    [['run', '--dry-run=false', 'x']],
    [['run', '-x']],
  ])('is a usage mistake: %j', (argv) => {
    expect(() => parse(argv)).toThrowError(expect.objectContaining({ name: 'UserMistake' }));
  });
});

describe('checkOperands', () => {
  test('too few and too many are usage mistakes', () => {
    expect(() => checkOperands(splitArgv(add, ['pii', 'add']))).toThrowError(
      expect.objectContaining({ name: 'UserMistake' }),
    );
    expect(() => checkOperands(splitArgv(add, ['pii', 'add', 'a', 'b']))).toThrowError(
      expect.objectContaining({ name: 'UserMistake' }),
    );
    expect(() => checkOperands(splitArgv(run, ['run']))).toThrowError(
      expect.objectContaining({ name: 'UserMistake' }),
    );
  });
});

test('findCommand: the longest words win', () => {
  const pii = command(['pii'], { kind: 'none' });
  expect(findCommand([pii, add], ['pii', 'add', 'x'])).toBe(add);
  expect(findCommand([pii, add], ['pii', 'x'])).toBe(pii);
  expect(findCommand([add], ['pii'])).toBeUndefined();
});
