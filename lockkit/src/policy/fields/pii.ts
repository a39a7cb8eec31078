// The rules of pii.toml (using lockssh, "PII rules"): what is masked beside the detectors, and which detected values
// stay clear. Patterns are checked by the caller's engine (load-pii.ts); this file never compiles one.
import { z } from 'zod';
import type { ValueType } from '../field.js';
import { sortedSet } from '../sets.js';

/** A detected value that stays clear. */
export interface PiiAllow {
  readonly kind: string;
  readonly value: string;
}

const MAX_RULES = 1000;
const MAX_PATTERN = 4096;
const MAX_VALUE = 1024;

export const maskPatterns: ValueType<readonly string[]> = {
  schema: z.array(z.string().min(1).max(MAX_PATTERN)).max(MAX_RULES),
  expects: `at most ${String(MAX_RULES)} patterns of at most ${String(MAX_PATTERN)} characters`,
  normalise: sortedSet,
};

/** Allow rules for these kinds; `secret` is never one of them. */
export function piiAllowRules(kinds: readonly string[]): ValueType<readonly PiiAllow[]> {
  const allowed = kinds.filter((kind) => kind !== 'secret');
  const rule = z.strictObject({
    kind: z
      .string()
      .refine((kind) => allowed.includes(kind), 'must name a kind of detector, and never secret'),
    value: z.string().min(1).max(MAX_VALUE),
  });
  return {
    schema: z.array(rule).max(MAX_RULES),
    expects: `at most ${String(MAX_RULES)} rules with kind and value`,
    normalise: sortedSet,
    show: (rules) => rules.map(({ kind, value }) => ({ kind, value })),
  };
}
