import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCaseLine } from './case.js';

const GOOD = {
  id: 'A1-001',
  area: 'A1',
  input: { kind: 'rule', rule: 'ls' },
  expected: { match: true },
  why: 'x',
};

test('parseCaseLine: a case is read with its kind and place', () => {
  expect(parseCaseLine(JSON.stringify(GOOD), 'f:1')).toEqual({
    kind: 'case',
    case: {
      id: 'A1-001',
      area: 'A1',
      kind: 'rule',
      input: GOOD.input,
      expected: GOOD.expected,
      judgement: false,
      place: 'f:1',
    },
  });
});

test('parseCaseLine: JUDGEMENT is told from why, the area from the id where it is missing', () => {
  const { area: _area, ...rest } = { ...GOOD, why: 'JUDGEMENT: ours' };
  const line = parseCaseLine(JSON.stringify(rest), 'f:1');
  expect(line).toMatchObject({ kind: 'case', case: { area: 'A1', judgement: true } });
});

test.each([
  ['not JSON', '{"id":', '?', 'f:9'],
  ['a list', '[]', '?', 'f:9'],
  ['null', 'null', '?', 'f:9'],
  ['no id', JSON.stringify({ ...GOOD, id: undefined }), 'A1', 'f:9'],
  ['an id that is a number', JSON.stringify({ ...GOOD, id: 7 }), 'A1', 'f:9'],
  ['an empty id', JSON.stringify({ ...GOOD, id: '' }), 'A1', 'f:9'],
  ['no input', JSON.stringify({ ...GOOD, input: undefined }), 'A1', 'A1-001'],
  ['an input that is a list', JSON.stringify({ ...GOOD, input: [] }), 'A1', 'A1-001'],
  ['an input without kind', JSON.stringify({ ...GOOD, input: {} }), 'A1', 'A1-001'],
  ['no expected', JSON.stringify({ ...GOOD, expected: undefined }), 'A1', 'A1-001'],
  ['expected that is a text', JSON.stringify({ ...GOOD, expected: 'yes' }), 'A1', 'A1-001'],
])('parseCaseLine: %s is a bad case with a sentence', (_name, text, area, id) => {
  const line = parseCaseLine(text, 'f:9');
  expect(line).toMatchObject({ kind: 'bad', bad: { id, area } });
});

test('parseCaseLine: no text crashes it', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      expect(['case', 'bad']).toContain(parseCaseLine(text, 'f:1').kind);
    }),
    { numRuns: 300 },
  );
});
