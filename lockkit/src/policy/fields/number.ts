// Whole numbers and switches of a profile. A float, a text or a 64-bit number that a double cannot hold is refused
// before it gets here (plain-values.ts).
import { z } from 'zod';
import type { ValueType } from '../field.js';

/** A whole number from `min` to `max`, both allowed. */
export function wholeNumber(min: number, max: number): ValueType<number> {
  return {
    schema: z.int().min(min).max(max),
    expects: `a whole number from ${String(min)} to ${String(max)}`,
  };
}

export const flag: ValueType<boolean> = { schema: z.boolean(), expects: 'true or false' };

/** One of these words, exactly. */
export function choice<T extends string>(words: readonly [T, ...T[]]): ValueType<T> {
  const quoted = words.map((word) => `"${word}"`).join(', ');
  return { schema: z.enum(words) as unknown as z.ZodType<T>, expects: `one of ${quoted}` };
}
