import * as fc from 'fast-check';
import { UserMistake } from 'lockkit/contract';
import { expect, test } from 'vitest';
import { splitCommand } from './command-words.js';

test.each([
  ['kit', ['kit']],
  ['  kit  --fast ', ['kit', '--fast']],
  [`"my kit" 'a b' c\\ d`, ['my kit', 'a b', 'c d']],
  [`kit "say \\"hi\\"" ''`, ['kit', 'say "hi"', '']],
  [`kit a'b'"c"d`, ['kit', 'abcd']],
  ['kit $(id) `id` ; rm * ~', ['kit', '$(id)', '`id`', ';', 'rm', '*', '~']],
])('splitCommand: %s', (command, words) => {
  expect(splitCommand(command)).toEqual(words);
});

test.each(['', '   ', `kit 'open`, 'kit "open', 'kit \\', "''"])('splitCommand: refuses %j', (command) => {
  expect(() => splitCommand(command)).toThrow(UserMistake);
});

test('splitCommand: words in single quotes always come back whole', () => {
  const word = fc.string({ minLength: 1 }).filter((text) => !text.includes("'"));
  fc.assert(
    fc.property(fc.array(word, { minLength: 1 }), (words) => {
      expect(splitCommand(words.map((text) => `'${text}'`).join(' '))).toEqual(words);
    }),
    { numRuns: 200 },
  );
});
