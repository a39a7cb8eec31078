// What "tighter" means for one kind of value. Every policy field carries one of these; comparing and joining whole
// policies is nothing but these, field by field. An order never looks at files, names or who wrote the value.

/** `loosens` is also the answer for two values that cannot be compared: only the human may allow those. */
export type Direction = 'same' | 'tightens' | 'loosens';

export interface Comparison {
  readonly direction: Direction;
  /** With `loosens` of a language: a shortest argv that the new value allows and the old one does not. */
  readonly witness?: readonly string[];
  /** With `loosens`: the search ended at this named limit, so it means "not proved to tighten". */
  readonly limit?: string;
}

/**
 * `compare` is a preorder (reflexive, transitive). `meet` is below both values; where two values have no common
 * lower bound (another host), it keeps the first, which is the approved one.
 */
export interface Order<T> {
  readonly name: string;
  compare(before: T, after: T): Comparison;
  meet(approved: T, other: T): T;
}

interface OrderParts<T> {
  readonly name: string;
  /** Is `inner` at most as permissive as `outer`? */
  readonly within: (inner: T, outer: T) => boolean;
  readonly meet: (approved: T, other: T) => T;
}

/** An order from its "at most as permissive" relation: same = both ways, tightens = one way, else loosens. */
export function orderFrom<T>({ name, within, meet }: OrderParts<T>): Order<T> {
  return {
    name,
    meet,
    compare: (before, after) => {
      if (!within(after, before)) return { direction: 'loosens' };
      return { direction: within(before, after) ? 'same' : 'tightens' };
    },
  };
}
