// What a console remembers about one profile of one project: what the human approved, what is in force, what they
// refused, and which mask rules agents added. Kept by the store, moved by decide.ts. Never holds anything unreviewed
// that allows more.
import { z } from 'zod';
import { fingerprint } from './fingerprint.js';
import { policyFrom, valueAt, type PolicyValues, type ProfileDefinition } from './profile.js';
import { sameValue } from './sets.js';

/** A policy and its fingerprint, always of each other. */
export interface PolicyRecord<P> {
  readonly policy: P;
  readonly fingerprint: string;
}

/** A mask rule that an agent added through the console; in force at once, before and beside the file. */
export interface AddedMask {
  readonly pattern: string;
  readonly uid: number;
  /** ISO 8601 */
  readonly at: string;
}

export interface PolicyState<P> {
  readonly approved?: PolicyRecord<P>;
  /** Never more than approved; present exactly when approved is. */
  readonly inForce?: PolicyRecord<P>;
  /** Fingerprints that the human said no to, oldest first. */
  readonly refused: readonly string[];
  /** In order of arrival. */
  readonly addedMasks: readonly AddedMask[];
}

export const EMPTY_STATE: PolicyState<never> = { refused: [], addedMasks: [] };

export function recordOf<P>(policy: P): PolicyRecord<P> {
  return { policy, fingerprint: fingerprint(policy as PolicyValues) };
}

const hex = z.string().regex(/^[0-9a-f]{64}$/);
const record = z.strictObject({ policy: z.record(z.string(), z.unknown()), fingerprint: hex });
const mask = z.strictObject({ pattern: z.string(), uid: z.int().min(0), at: z.string() });

/** The state's JSON; `lock`, `project` and `profile` say whose it is. */
export const stateSchema = z.strictObject({
  v: z.literal(1),
  lock: z.string(),
  project: z.string().nullable(),
  profile: z.string(),
  approved: record.optional(),
  in_force: record.optional(),
  refused: z.array(hex),
  added_masks: z.array(mask),
});

export type StateJson = z.infer<typeof stateSchema>;

/**
 * A stored record as this version of the lock understands it: the fingerprint must be its own, and it must have
 * exactly the fields of the definition. Undefined: nothing is approved, the first start comes again.
 */
export function acceptRecord<P>(
  definition: ProfileDefinition<P>,
  stored: { readonly policy: PolicyValues; readonly fingerprint: string } | undefined,
): PolicyRecord<P> | undefined {
  if (stored === undefined || fingerprint(stored.policy) !== stored.fingerprint) return undefined;
  const known = policyFrom(definition.entries, ({ path }) => valueAt(stored.policy, path) ?? null);
  return sameValue(known, stored.policy) ? (stored as PolicyRecord<P>) : undefined;
}
