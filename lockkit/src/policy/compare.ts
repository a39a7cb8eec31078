// Two policies, field by field, by the order of each field. The one place that says whether a change needs the human.
// A value that only one of the two policies has (another version wrote it) loosens: no silence is a permission.
import type { Plain } from './field.js';
import type { Comparison, Direction } from './order.js';
import { sameValue } from './sets.js';
import { valueAt, type Entry, type PolicyValues, type ProfileDefinition } from './profile.js';

/** One changed field. `from` and `to` are what the files said: text from outside, to be shown as such. */
export interface PolicyChange {
  /** `limits.request_timeout` */
  readonly path: string;
  readonly direction: 'tightens' | 'loosens';
  readonly from: Plain | null;
  readonly to: Plain | null;
  /** A shortest argv that is newly allowed; only with `loosens`, and only for allow rules. */
  readonly witness?: readonly string[];
  /** The comparison ended at this named limit: `loosens` then means "not proved to tighten". */
  readonly limit?: string;
}

export type Verdict = Direction;

/** The changed fields, in the order of the profile; [] when both policies mean the same. */
export function comparePolicies<P>(
  definition: ProfileDefinition<P>,
  before: P,
  after: P,
): readonly PolicyChange[] {
  return definition.entries.flatMap((entry) => {
    const from = valueAt(before as PolicyValues, entry.path);
    const to = valueAt(after as PolicyValues, entry.path);
    const { direction, witness, limit } = compareField(entry, from, to);
    if (direction === 'same') return [];
    const change = { path: entry.name, direction, from: shown(entry, from), to: shown(entry, to) };
    return [
      { ...change, ...(witness === undefined ? {} : { witness }), ...(limit === undefined ? {} : { limit }) },
    ];
  });
}

function compareField({ field }: Entry, from: unknown, to: unknown): Comparison {
  if (from === undefined || to === undefined) return { direction: 'loosens' };
  // Equal texts mean the same in every order, and most fields of most changes are equal.
  return sameValue(from, to) ? { direction: 'same' } : field.order.compare(from, to);
}

function shown({ field }: Entry, value: unknown): Plain | null {
  return value === undefined ? null : field.show(value);
}

/** `loosens` as soon as one change does. */
export function verdictOf(changes: readonly Pick<PolicyChange, 'direction'>[]): Verdict {
  if (changes.length === 0) return 'same';
  return changes.some(({ direction }) => direction === 'loosens') ? 'loosens' : 'tightens';
}

/** Does one of these changes touch what the session behind the lock stands on (host, user, key)? */
export function changesTarget(
  definition: ProfileDefinition<never>,
  changes: readonly PolicyChange[],
): boolean {
  const targets = new Set(definition.entries.filter(({ field }) => field.target).map(({ name }) => name));
  return changes.some(({ path }) => targets.has(path));
}
