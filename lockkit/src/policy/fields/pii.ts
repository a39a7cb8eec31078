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
/** Bytes; the masking engine takes no more. */
const MAX_PATTERN = 1024;
const MAX_VALUE = 512;

const bytes = (text: string): number => new TextEncoder().encode(text).length;
const oneLine = (text: string): boolean => !/[\0\r\n]/.test(text) && text.trim() !== '';

export const maskPatterns: ValueType<readonly string[]> = {
  schema: z.array(z.string().refine((text) => text !== '' && bytes(text) <= MAX_PATTERN)).max(MAX_RULES),
  expects: `at most ${String(MAX_RULES)} patterns of at most ${String(MAX_PATTERN)} bytes`,
  normalise: sortedSet,
};

const VALUE_RULE = `must be one line of at most ${String(MAX_VALUE)} bytes`;

/** Allow rules for these kinds; `secret` is never one of them. */
export function piiAllowRules(kinds: readonly string[]): ValueType<readonly PiiAllow[]> {
  const allowed = kinds.filter((kind) => kind !== 'secret');
  const rule = z.strictObject({
    kind: z
      .string()
      .refine((kind) => allowed.includes(kind), 'must name a kind of detector, and never secret'),
    value: z.string().refine((text) => oneLine(text) && bytes(text) <= MAX_VALUE, VALUE_RULE),
  });
  return {
    schema: z.array(rule).max(MAX_RULES),
    expects: `at most ${String(MAX_RULES)} rules with kind and value`,
    normalise: sortedSet,
    show: (rules) => rules.map(({ kind, value }) => ({ kind, value })),
  };
}
