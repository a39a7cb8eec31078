import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../kind.js';
import { checkShape } from './shape.js';

const accepts: readonly (readonly [string, Json, Json])[] = [
  ['the same value', { a: [1, 'x', null] }, { a: [1, 'x', null] }],
  ['more members where they are allowed', { a: 1, '...': true }, { a: 1, b: 2 }],
  ['an optional member that is missing', { a: { $optional: 1 } }, {}],
  ['a type', { $type: 'integer' }, 7],
  ['a pattern', { $pattern: '^a+$' }, 'aaa'],
  ['one of several', { $one_of: [1, { a: 1 }] }, { a: 1 }],
  ['each item', { $each: { $type: 'string' } }, ['a', 'b']],
  ['each of none', { $each: 1 }, []],
  ['some item', { $some: 2 }, [1, 2]],
  ['nothing of a name anywhere', { $nowhere: ['$ref'] }, { a: [{ ref: 1 }] }],
  ['each of its own', { $distinct: 'id' }, [{ id: 1 }, { id: 2 }]],
  ['a size', { $size: { min: 1, max: 2 } }, 'ab'],
  [
    'properties of a schema at any depth',
    { $every_property: { type: 'string' } },
    { properties: { a: { type: 'string' } } },
  ],
];
const refuses: readonly (readonly [string, Json, Json | undefined])[] = [
  ['another value', 1, 2],
  ['a member too many', { a: 1 }, { a: 1, b: 2 }],
  ['a missing member', { a: 1 }, {}],
  ['a list of another length', [1], [1, 2]],
  ['null for an object', { '...': true }, null],
  ['a list for an object', { '...': true }, []],
  ['an inherited member', { toString: { $type: 'object' } }, {}],
  ['nothing for a type', { $type: 'string' }, undefined],
  ['a fraction for an integer', { $type: 'integer' }, 1.5],
  ['items of nothing', { $each: 1 }, 'text'],
  ['none like it', { $some: 2 }, [1]],
  ['a name at depth', { $nowhere: ['$ref'] }, { a: [{ b: { $ref: 1 } }] }],
  ['two of one', { $distinct: 'id' }, [{ id: 1 }, { id: 1 }]],
  ['too long', { $size: { max: 1 } }, 'ab'],
  [
    'an untyped property at depth',
    { $every_property: { type: 'string', '...': true } },
    { items: { properties: { a: {} } } },
  ],
  ['what is not wanted', { $not: 1 }, 1],
];

test.each(accepts)('checkShape: accepts %s', (_name, shape, got) =>
  expect(checkShape(shape, got)).toBeNull(),
);
test.each(refuses)('checkShape: refuses %s', (_name, shape, got) =>
  expect(checkShape(shape, got)).toBeTypeOf('string'),
);

test('checkShape: an unknown operator is a mistake of the case', () => {
  expect(() => checkShape({ $like: 1 }, 1)).toThrow();
});

const plain = fc
  .jsonValue({ noUnicodeString: true })
  .filter((value) => !JSON.stringify(value).includes('"$') && !JSON.stringify(value).includes('"...'));

test('checkShape: a value without operators always accepts itself and never another one', () => {
  fc.assert(
    fc.property(plain, plain, (one, other) => {
      // -0 is 0 in JSON.
      const [a, b] = [one, other].map((value) => JSON.parse(JSON.stringify(value)) as Json) as [Json, Json];
      expect(checkShape(a, a)).toBeNull();
      const same = JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
      expect(checkShape(a, b) === null).toBe(same);
    }),
    { numRuns: 300 },
  );
});

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item as Json)]),
  );
}
