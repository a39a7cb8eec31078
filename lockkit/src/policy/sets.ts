// Lists that mean sets: one order of elements and no doubles, so that layout never changes a fingerprint.
// Used by the orders and by the normal forms of fields. Never sorts by locale.
import canonicalize from 'canonicalize';

/** RFC 8785 text of a JSON value. A value that is not JSON is a bug. */
export function canonicalText(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new Error('a policy value must be JSON');
  return text;
}

export function sameValue(a: unknown, b: unknown): boolean {
  return a === b || canonicalText(a) === canonicalText(b);
}

/** The elements once each, sorted by the code units of their canonical text. */
export function sortedSet<T>(list: readonly T[]): readonly T[] {
  const byText = new Map(list.map((one) => [canonicalText(one), one] as const));
  const sorted = [...byText].toSorted(([a], [b]) => (a < b ? -1 : Number(a > b)));
  return sorted.map(([, one]) => one);
}
