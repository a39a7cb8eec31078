// The orders of docs/policy.md, one constant or constructor each. Used by the profile fields of the lock types.
// A lock author picks from these or writes one with `orderFrom`; the language order of allow rules lives with them.
import { orderFrom, type Order } from './order.js';
import { sameValue, sortedSet } from './sets.js';

/** Any change loosens: another host, user, key or trust source. The meet keeps the approved value. */
export function identity<T>(): Order<T> {
  return orderFrom<T>({ name: 'identity', within: sameValue, meet: (approved) => approved });
}

/** Limits and timeouts: smaller tightens. */
export const smaller: Order<number> = orderFrom<number>({
  name: 'smaller',
  within: (inner, outer) => inner <= outer,
  meet: (a, b) => Math.min(a, b),
});

/** The answer quantum: larger tightens. */
export const larger: Order<number> = orderFrom<number>({
  name: 'larger',
  within: (inner, outer) => inner >= outer,
  meet: (a, b) => Math.max(a, b),
});

/** A power that is better off: true to false tightens. */
export const off: Order<boolean> = orderFrom<boolean>({
  name: 'off',
  within: (inner, outer) => !inner || outer,
  meet: (a, b) => a && b,
});

/** A protection that is better on: false to true tightens. */
export const on: Order<boolean> = orderFrom<boolean>({
  name: 'on',
  within: (inner, outer) => inner || !outer,
  meet: (a, b) => a || b,
});

/** Detectors and mask rules: a set that holds all of the other and more tightens. */
export function more<T extends string>(): Order<readonly T[]> {
  return orderFrom<readonly T[]>({
    name: 'more',
    within: (inner, outer) => outer.every((one) => inner.includes(one)),
    meet: (a, b) => sortedSet([...a, ...b]),
  });
}

/** PII allow rules: a set that holds only some of the other's elements tightens. Elements compare as JSON values. */
export function fewer<T>(): Order<readonly T[]> {
  const holds = (set: readonly T[], one: T): boolean => set.some((other) => sameValue(one, other));
  return orderFrom<readonly T[]>({
    name: 'fewer',
    within: (inner, outer) => inner.every((one) => holds(outer, one)),
    meet: (a, b) => sortedSet(a.filter((one) => holds(b, one))),
  });
}

/** Either all that exist or these. `all` is written as an empty list in the file, and never means none. */
export const someOf: Order<'all' | readonly string[]> = orderFrom<'all' | readonly string[]>({
  name: 'some_of',
  within: (inner, outer) => outer === 'all' || (inner !== 'all' && inner.every((one) => outer.includes(one))),
  meet: (a, b) => {
    if (a === 'all') return b;
    return b === 'all' ? a : sortedSet(a.filter((one) => b.includes(one)));
  },
});

/** Values from the tightest to the loosest: `stricter(["deny", "ask", "auto"])`. */
export function stricter<T extends string>(fromTightest: readonly T[]): Order<T> {
  const rank = (value: T): number => fromTightest.indexOf(value);
  return orderFrom<T>({
    name: 'stricter',
    within: (inner, outer) => sameValue(inner, outer) || (rank(inner) >= 0 && rank(inner) < rank(outer)),
    meet: (a, b) => (rank(b) >= 0 && rank(b) < rank(a) ? b : a),
  });
}

/** A change to this value tightens, any other change loosens (credentials: to `ask`). */
export function towards<T>(tightest: T): Order<T> {
  return orderFrom<T>({
    name: 'towards',
    within: (inner, outer) => sameValue(inner, outer) || sameValue(inner, tightest),
    meet: (approved, other) => (sameValue(other, tightest) ? other : approved),
  });
}

/** A text that must begin with the other's text tightens (a key prefix; "" = everything). */
export const extending: Order<string> = orderFrom<string>({
  name: 'extending',
  within: (inner, outer) => inner.startsWith(outer),
  meet: (approved, other) => (other.startsWith(approved) ? other : approved),
});
