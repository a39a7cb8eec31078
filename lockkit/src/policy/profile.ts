// A lock's profile: which keys it has, in which tables, and what must hold between them. Lock types call
// `defineProfile` once; everything in lockkit/policy takes the result. Nothing here touches a file.
import { fewer, more } from './orders.js';
import { field, type Field } from './field.js';
import { maskPatterns, piiAllowRules, type PiiAllow } from './fields/pii.js';

export type Fields = Readonly<Record<string, Field<any>>>; // eslint-disable-line @typescript-eslint/no-explicit-any

export interface Group<F extends Fields = Fields> {
  readonly fields: F;
  /** Words that may stand for the whole table: `auto = "full-auto"`. Values as in the file; the rest are defaults. */
  readonly shorthands?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}
export type Groups = Readonly<Record<string, Group>>;

/** A mistake between fields: the key it is shown at and one static sentence. */
export interface CrossMistake {
  readonly path: readonly string[];
  readonly message: string;
}

type Values<F extends Fields> = { readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never };
type GroupValues<G extends Groups> = { readonly [K in keyof G]: Values<G[K]['fields']> };

/** The PII rules that go with every profile of a lock that masks; [] where the lock has none. */
export interface PiiRules {
  readonly mask: readonly string[];
  readonly allow: readonly PiiAllow[];
}

/** A policy as JSON: every field of a profile in its normal form, and its PII rules. */
export type PolicyValues = Readonly<Record<string, unknown>>;

export interface ProfileDefinition<P = PolicyValues> {
  readonly lock: string;
  readonly fields: Fields;
  readonly groups: Groups;
  /** Kinds that an allow rule of pii.toml may name; undefined: the lock knows no pii.toml. */
  readonly piiKinds?: readonly string[];
  /** Every field with its path, in the order in which they are parsed and shown. */
  readonly entries: readonly Entry[];
  readonly checks: (policy: P) => readonly CrossMistake[];
}

export interface Entry {
  readonly path: readonly string[];
  /** `limits.request_timeout` */
  readonly name: string;
  readonly field: Field<unknown>;
  /** Where its values come from: the profile's table, or pii.toml. */
  readonly origin: 'profile' | 'pii';
}

/** The policy type of a definition. */
export type PolicyOf<D> = D extends ProfileDefinition<infer P> ? P : never;

export interface ProfileParts<F extends Fields, G extends Groups> {
  readonly lock: string;
  readonly fields: F;
  readonly groups: G;
  readonly piiKinds?: readonly string[];
  readonly checks?: (
    policy: Values<F> & GroupValues<G> & { readonly pii: PiiRules },
  ) => readonly CrossMistake[];
}

const KEY = /^[a-z][a-z0-9_]{0,31}$/;

function entriesOf(prefix: readonly string[], fields: Fields): Entry[] {
  return Object.entries(fields).map(([key, one]) => {
    if (!KEY.test(key)) throw new Error(`field ${key}: a key is a-z, 0-9 and _`);
    const order = one.order as Partial<Field<unknown>['order']> | undefined;
    if (typeof order?.compare !== 'function' || typeof order.meet !== 'function')
      throw new Error(`field ${key} has no order: it would loosen in silence`);
    const path = [...prefix, key];
    return { path, name: path.join('.'), field: one as Field<unknown>, origin: 'profile' };
  });
}

function piiEntries(kinds: readonly string[]): Entry[] {
  const mask = field(maskPatterns, { order: more<string>(), default: [], heading: 'Output' });
  const allow = field(piiAllowRules(kinds), { order: fewer<PiiAllow>(), default: [], heading: 'Output' });
  return [
    { path: ['pii', 'mask'], name: 'pii.mask', field: mask as Field<unknown>, origin: 'pii' },
    { path: ['pii', 'allow'], name: 'pii.allow', field: allow as Field<unknown>, origin: 'pii' },
  ];
}

/** Checks and freezes a lock's profile. Throws a plain Error on a mistake of the lock's author. */
export function defineProfile<F extends Fields, G extends Groups>(
  parts: ProfileParts<F, G>,
): ProfileDefinition<Values<F> & GroupValues<G> & { readonly pii: PiiRules }> {
  if (Object.keys(parts.groups).some((name) => name === 'pii' || name in parts.fields || !KEY.test(name)))
    throw new Error('a table of a profile needs a name of its own, and pii is taken');
  const grouped = Object.entries(parts.groups).flatMap(([name, group]) => entriesOf([name], group.fields));
  return {
    lock: parts.lock,
    fields: parts.fields,
    groups: parts.groups,
    ...(parts.piiKinds === undefined ? {} : { piiKinds: parts.piiKinds }),
    entries: [...entriesOf([], parts.fields), ...grouped, ...piiEntries(parts.piiKinds ?? [])],
    checks: parts.checks ?? (() => []),
  };
}

/** The value of a field in a policy; undefined where the policy was made by another version of the lock. */
export function valueAt(policy: PolicyValues, path: readonly string[]): unknown {
  let value: unknown = policy;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/** A policy from one value for each entry. */
export function policyFrom(entries: readonly Entry[], valueOf: (entry: Entry) => unknown): PolicyValues {
  const policy: Record<string, unknown> = {};
  for (const entry of entries) {
    const [first, second] = entry.path as readonly [string, string?];
    if (second === undefined) policy[first] = valueOf(entry);
    else policy[first] = { ...(policy[first] as object | undefined), [second]: valueOf(entry) };
  }
  return policy;
}
