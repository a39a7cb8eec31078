import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { plainInputSchema, plainOutputSchema } from './json-schema.js';

test('plainInputSchema: one type a parameter, values as lists, descriptions kept', () => {
  const shape = z.strictObject({
    plain: z.string().min(1).max(5).regex(/^a/).describe('a text'),
    one: z.literal('x'),
    several: z.union([z.literal('a'), z.literal('b')]),
    listed: z.enum(['c', 'd']).nullable().optional(),
    counted: z.int().min(1).max(3).default(2),
    listOf: z.array(z.strictObject({ key: z.string(), more: z.record(z.string(), z.string()).optional() })),
  });
  expect(plainInputSchema(shape)).toEqual({
    type: 'object',
    properties: {
      plain: { type: 'string', description: 'a text' },
      one: { type: 'string', enum: ['x'] },
      several: { type: 'string', enum: ['a', 'b'] },
      listed: { type: 'string', enum: ['c', 'd'] },
      counted: { type: 'integer' },
      listOf: {
        type: 'array',
        items: {
          type: 'object',
          properties: { key: { type: 'string' }, more: { type: 'object', properties: {} } },
          required: ['key'],
          additionalProperties: false,
        },
      },
    },
    required: ['plain', 'one', 'several', 'listOf'],
    additionalProperties: false,
  });
});

test.each([
  ['a parameter of two types', z.object({ a: z.union([z.string(), z.number()]) })],
  ['a parameter of any type', z.object({ a: z.unknown() })],
  ['a list of anything', z.object({ a: z.array(z.any()) })],
  ['an input that is a list', z.array(z.string())],
])('plainInputSchema: %s is the author’s mistake', (_name, shape) => {
  expect(() => plainInputSchema(shape)).toThrow();
});

test('plainInputSchema: a shape that holds itself is the author’s mistake', () => {
  interface Tree {
    readonly children: readonly Tree[];
  }
  const tree: z.ZodType<Tree> = z.object({ children: z.array(z.lazy(() => tree)) });
  expect(() => plainInputSchema(tree)).toThrow();
});

test('plainOutputSchema: whatever the shape takes, its schema takes', () => {
  const shapes = [
    z.union([
      z.strictObject({ status: z.literal('done'), code: z.int().optional(), list: z.array(z.string()) }),
      z.strictObject({ status: z.literal('pending'), ticket: z.string() }),
      z.strictObject({ status: z.enum(['would_run', 'would_wait']), code: z.string().nullable() }),
    ]),
    z.strictObject({
      answers: z.array(z.strictObject({ result: z.literal([1, 0]).nullable(), any: z.unknown() })),
    }),
    z.looseObject({ a: z.union([z.string(), z.int(), z.null()]), pair: z.tuple([z.string(), z.string()]) }),
    z.strictObject({
      counts: z.record(z.string(), z.int()),
      deep: z.strictObject({ b: z.boolean() }).optional(),
    }),
  ];
  const text = fc.string({ maxLength: 4 });
  const values = [
    fc.oneof(
      fc.record(
        { status: fc.constant('done'), code: fc.integer(), list: fc.array(text) },
        { requiredKeys: ['status', 'list'] },
      ),
      fc.record({ status: fc.constant('pending'), ticket: text }),
      fc.record({ status: fc.constantFrom('would_run', 'would_wait'), code: fc.option(text) }),
    ),
    fc.record({ answers: fc.array(fc.record({ result: fc.constantFrom(1, 0, null), any: fc.jsonValue() })) }),
    fc.record({
      a: fc.oneof(text, fc.integer(), fc.constant(null)),
      pair: fc.tuple(text, text),
      extra: fc.jsonValue(),
    }),
    fc.record(
      { counts: fc.dictionary(text, fc.integer()), deep: fc.record({ b: fc.boolean() }) },
      { requiredKeys: ['counts'] },
    ),
  ];
  for (const [index, shape] of shapes.entries()) {
    const schema = plainOutputSchema(shape);
    expect(JSON.stringify(schema)).not.toMatch(/"(const|\$ref|oneOf|allOf)"/);
    const validate = new AjvJsonSchemaValidator().getValidator(structuredClone(schema) as never);
    fc.assert(
      fc.property(values[index] as fc.Arbitrary<unknown>, (value) => {
        if (!shape.safeParse(value).success) return;
        expect(validate(value).valid).toBe(true);
      }),
      { numRuns: 100 },
    );
  }
});
