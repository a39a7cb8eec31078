// The shapes of the tests' lock: every form that an output may take.
import { z } from 'zod';

const echo = {
  input: z.strictObject({
    argv: z.array(z.string()).describe('the arguments'),
    dry_run: z.boolean().optional(),
    ticket: z
      .string()
      .regex(/^t_[0-9A-Z]{4}$/)
      .optional(),
    intent: z.string().max(500).optional(),
    level: z.enum(['low', 'high']).default('low'),
    limit: z.int().min(1).max(10).optional(),
  }),
  output: z.union([
    z.strictObject({ status: z.literal('done'), received: z.record(z.string(), z.unknown()) }),
    z.strictObject({ status: z.literal('pending'), ticket: z.string() }),
  ]),
};

export const DEMO_SHAPES = {
  echo,
  'rule.add': {
    input: z.strictObject({ pattern: z.string() }),
    output: z.strictObject({ status: z.string() }),
  },
  facts: {
    input: z.strictObject({}),
    output: z.strictObject({
      answers: z.array(z.strictObject({ result: z.literal([1, 0]).nullable(), code: z.string().optional() })),
    }),
  },
  ask: { input: z.strictObject({}), output: z.strictObject({ answered: z.boolean() }) },
  text: { input: z.strictObject({ name: z.string() }), output: z.strictObject({ text: z.string() }) },
  logout: { input: z.strictObject({}), output: z.strictObject({}) },
};
