// A review as plain data: what a screen needs to let a human decide about a policy, in the order in which it matters.
// Made for the console's review screen. Every value and name in it is text from outside; nothing here is rendered.
import { remarksOn, type PolicyRemark } from './check.js';
import type { PolicyChange } from './compare.js';
import type { FirstApproval, PendingChange } from './decide.js';
import type { Plain } from './field.js';
import type { PolicySource } from './load.js';
import { valueAt, type PolicyValues, type ProfileDefinition } from './profile.js';
import { masksOutsideFile } from './review-steps.js';
import { sameValue } from './sets.js';
import type { AddedMask, PolicyState } from './state.js';

/** One changed field. `waits`: only this review can bring it into force; else it already is. */
export interface ReviewItem extends PolicyChange {
  readonly waits: boolean;
  /** For lists: the elements that came and went. */
  readonly added: readonly Plain[];
  readonly removed: readonly Plain[];
}

export interface ReviewGroup {
  /** The lock author's heading: `Target`, `Commands`, `Limits`. */
  readonly heading: string;
  /** What waits stands first. */
  readonly items: readonly ReviewItem[];
}

export interface PolicyReview {
  /** `first`: everything, and nothing is in force yet. `change`: the difference to what was approved. */
  readonly kind: 'first' | 'change';
  readonly profile: string;
  readonly source: PolicySource;
  /** What a yes approves. */
  readonly fingerprint: string;
  /** The project's profile stands in the place of the user's own. */
  readonly replacesUserProfile: boolean;
  readonly endsSession: boolean;
  readonly groups: readonly ReviewGroup[];
  readonly remarks: readonly PolicyRemark[];
  /** Mask rules of agents that no file holds. A yes ends them only when they are given to `approvePolicy`. */
  readonly endingMasks: readonly AddedMask[];
  /** What agents asked for, oldest first. */
  readonly requests: readonly string[];
}

export interface ReviewContext<P> {
  readonly definition: ProfileDefinition<P>;
  readonly state: PolicyState<P>;
  readonly requests: readonly string[];
}

/** The changes under their headings; `waiting` are the paths that a yes would bring into force. */
export function reviewChanges<P>(
  definition: ProfileDefinition<P>,
  changes: readonly PolicyChange[],
  waiting: ReadonlySet<string>,
): readonly ReviewGroup[] {
  const headings = [...new Set(definition.entries.map(({ field }) => field.heading))];
  const headingOf = new Map(definition.entries.map(({ name, field }) => [name, field.heading]));
  const items = changes.map((change) => reviewItem(change, waiting.has(change.path)));
  return headings.flatMap((heading) => {
    const own = items.filter(({ path }) => headingOf.get(path) === heading);
    const sorted = own.toSorted((a, b) => Number(b.waits) - Number(a.waits));
    return sorted.length === 0 ? [] : [{ heading, items: sorted }];
  });
}

function reviewItem(change: PolicyChange, waits: boolean): ReviewItem {
  const [from, to] = [listOf(change.from), listOf(change.to)];
  const without = (list: readonly Plain[], other: readonly Plain[]): readonly Plain[] =>
    list.filter((one) => !other.some((two) => sameValue(one, two)));
  return { ...change, waits, added: without(to, from), removed: without(from, to) };
}

function listOf(value: Plain | null): readonly Plain[] {
  return Array.isArray(value) ? (value as readonly Plain[]) : [];
}

/** The first approval: every field that the lock's files can hold, as coming from nothing. */
export function reviewFirst<P>(first: FirstApproval<P>, context: ReviewContext<P>): PolicyReview {
  const { definition } = context;
  const hasPii = definition.piiKinds !== undefined;
  const entries = definition.entries.filter(({ origin }) => origin === 'profile' || hasPii);
  const changes = entries.map(({ path, name, field }): PolicyChange => {
    const value = valueAt(first.file.policy as PolicyValues, path);
    return { path: name, direction: 'loosens', from: null, to: field.show(value) };
  });
  return {
    ...shared(first.file, first.fingerprint, context),
    kind: 'first',
    endsSession: false,
    groups: reviewChanges(definition, changes, new Set(changes.map(({ path }) => path))),
  };
}

/** A change: what waits, and what tightened already. */
export function reviewPending<P>(pending: PendingChange<P>, context: ReviewContext<P>): PolicyReview {
  const waiting = new Set(pending.waiting.map(({ path }) => path));
  return {
    ...shared(pending.file, pending.fingerprint, context),
    kind: 'change',
    endsSession: pending.endsSession,
    groups: reviewChanges(context.definition, pending.changes, waiting),
  };
}

function shared<P>(
  file: FirstApproval<P>['file'],
  fingerprint: string,
  { definition, state, requests }: ReviewContext<P>,
): Omit<PolicyReview, 'kind' | 'endsSession' | 'groups'> {
  return {
    profile: file.profile,
    source: file.source,
    fingerprint,
    replacesUserProfile: file.replaces !== undefined,
    remarks: remarksOn(definition, file.policy as PolicyValues),
    endingMasks: masksOutsideFile(state),
    requests,
  };
}
