// One key of a profile: its schema, its default, its normal form and its order. Lock types list their fields with
// `field`; the loader, the comparison, the meet and the review know nothing else about a lock.
// A field must never be left without an order: such a profile definition does not load.
import type { z } from 'zod';
import type { Order } from './order.js';

export type Plain = string | number | boolean | readonly Plain[] | { readonly [key: string]: Plain };

/** What a TOML value may be. `expects` completes "must be …" and never repeats what was found. */
export interface ValueType<T> {
  readonly schema: z.ZodType<T>;
  readonly expects: string;
  /** The set or number in its one spelling; what is compared and fingerprinted. Default: as parsed. */
  readonly normalise?: (value: T) => T;
  /** What a human is shown (a duration as `30s`). Default: the value itself. */
  readonly show?: (value: T) => Plain;
}

/** A remark on a value that loads but deserves a second look. `message` is ours, `subject` is text of the file. */
export interface Remark {
  readonly subject?: string;
  readonly message: string;
}

export interface FieldRules<T> {
  readonly order: Order<T>;
  /** Absent: the key is required. A function sees the fields that stand before it in the definition. */
  readonly default?: T | ((given: Readonly<Record<string, unknown>>) => T);
  /** Heading in the review: `Target`, `Commands`, `Output`, `Limits`. */
  readonly heading: string;
  /** The session behind the lock depends on this value: when a review changes it, the session ends. */
  readonly target?: boolean;
  readonly remarks?: (value: T) => readonly Remark[];
}

// Methods and a bivariant default, so that a list of fields of different types is a list of fields.
export interface Field<T> {
  readonly schema: z.ZodType<T>;
  readonly expects: string;
  readonly heading: string;
  readonly order: Order<T>;
  readonly target: boolean;
  readonly required: boolean;
  defaultFor(given: Readonly<Record<string, unknown>>): T;
  normalise(value: T): T;
  show(value: T): Plain;
  remarks(value: T): readonly Remark[];
}

/** A field from what its value may be and what the policy says about it. */
export function field<T>(type: ValueType<T>, rules: FieldRules<NoInfer<T>>): Field<T> {
  const fallback = rules.default;
  return {
    schema: type.schema,
    expects: type.expects,
    heading: rules.heading,
    order: rules.order,
    target: rules.target ?? false,
    required: fallback === undefined,
    defaultFor: (given) => {
      if (fallback === undefined) throw new Error('a required field has no default');
      return typeof fallback === 'function'
        ? (fallback as (given: Readonly<Record<string, unknown>>) => T)(given)
        : fallback;
    },
    normalise: type.normalise ?? ((value) => value),
    show: type.show ?? ((value) => value as Plain),
    remarks: rules.remarks ?? (() => []),
  };
}
