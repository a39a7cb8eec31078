import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { GeneratorMistake, MAX_EXPANDED_ITEMS, MAX_EXPANDED_UNITS, expandInput } from './generators.js';
import type { JsonObject } from './kind.js';

test('expandInput: an argv generator splices args and joins repeats', () => {
  const input = { kind: 'argv', argv_gen: ['p', { args: [{ repeat: ['x', 3] }, 2] }, { repeat: ['é', 2] }] };
  expect(expandInput(input)['argv']).toEqual(['p', 'xxx', 'xxx', 'éé']);
});

test('expandInput: texts are joined', () => {
  expect(expandInput({ kind: 'policy_gen', toml_gen: [{ repeat: ['a.', 3] }, 'b=1'] })['toml']).toBe(
    'a.a.a.b=1',
  );
  expect(expandInput({ kind: 'mask_perf', text_gen: { repeat: ['@', 5] } })['text']).toBe('@@@@@');
});

test('expandInput: argv_json keeps a lone surrogate', () => {
  expect(expandInput({ kind: 'argv', argv_json: '["ls","\\ud83d"]' })['argv']).toEqual(['ls', '\ud83d']);
});

test('expandInput: an input without generators is the same', () => {
  const input = { kind: 'rule', argv: ['a', 'b'] };
  expect(expandInput(input)).toEqual(input);
});

test.each<[string, JsonObject]>([
  ['a count that is negative', { text_gen: { repeat: ['x', -1] } }],
  ['a count that is no whole number', { text_gen: { repeat: ['x', 1.5] } }],
  ['a count beyond numbers', { text_gen: { repeat: ['x', 1e300] } }],
  ['a bomb of text', { text_gen: { repeat: ['x', MAX_EXPANDED_UNITS + 1] } }],
  ['a bomb of bombs', { text_gen: { repeat: [{ repeat: ['x', 60_000_000] }, 60_000_000] } }],
  ['a bomb of arguments', { argv_gen: [{ args: ['x', MAX_EXPANDED_ITEMS + 1] }] }],
  ['a generator of two', { text_gen: { repeat: ['x', 1], args: ['x', 1] } }],
  ['an unknown generator', { text_gen: { random: ['x', 1] } }],
  ['a number', { text_gen: 5 }],
  ['null', { argv_gen: null }],
  ['JSON that is none', { argv_json: '[' }],
  ['JSON that is no text', { argv_json: ['a'] }],
])('expandInput: refuses %s', (_name, input) => {
  expect(() => expandInput(input)).toThrow(GeneratorMistake);
});

test('expandInput: any JSON is expanded or refused, never a crash', () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.constantFrom('argv_gen', 'text_gen', 'toml_gen', 'argv_json'),
      (value, key) => {
        try {
          expandInput({ [key]: value } as JsonObject);
        } catch (error) {
          expect(error).toBeInstanceOf(GeneratorMistake);
        }
      },
    ),
    { numRuns: 300 },
  );
});
