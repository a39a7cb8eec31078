// What goes in and out of each action, strictly.
import { z } from 'zod';

export const shapes = {
  status: {
    input: z.strictObject({}),
    output: z.strictObject({ lock: z.string(), version: z.string(), profiles: z.array(z.looseObject({})) }),
  },
  get: {
    input: z.strictObject({ path: z.string().max(200), ticket: z.string().max(32).optional() }),
    output: z.looseObject({ status: z.enum(['done', 'pending']) }),
  },
};
