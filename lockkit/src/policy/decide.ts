// What is in force after the files were read (docs/decisions.md, "Policy"): a tightening at once and saved, a
// loosening not before the human's review, and meanwhile the meet. Pure: the console reads, asks and saves around it.
// Nothing here ever raises what is in force; `approve` is the only function that does, and only a review calls it.
import { changesTarget, comparePolicies, type PolicyChange } from './compare.js';
import type { LoadedPolicy } from './load.js';
import { meetPolicies } from './meet.js';
import type { Loaded, PolicyProblem } from './problem.js';
import type { ProfileDefinition } from './profile.js';
import { recordOf, type PolicyRecord, type PolicyState } from './state.js';

export interface DecisionInput<P> {
  readonly state: PolicyState<P>;
  readonly file: Loaded<LoadedPolicy<P>>;
  /** The state of the same profile outside any project: what this project's first start is compared with. */
  readonly userState?: PolicyState<P>;
}

/** The whole policy waits: nothing was ever approved here. */
export interface FirstApproval<P> {
  readonly kind: 'first';
  readonly file: LoadedPolicy<P>;
  readonly fingerprint: string;
  /** The human already said no to exactly this policy. */
  readonly refused: boolean;
  /** Against the user's profile that it replaces. */
  readonly replaced: readonly PolicyChange[];
}

/** A change that only a review can bring into force. */
export interface PendingChange<P> {
  readonly file: LoadedPolicy<P>;
  readonly fingerprint: string;
  /**
   * What the review shows: from what was approved to what the file says; where that only tightens but what is in force
   * is tighter still, from what is in force. So every change that waits is in it, as a loosening.
   */
  readonly changes: readonly PolicyChange[];
  /** From what is in force to what the file says: only what waits. */
  readonly waiting: readonly PolicyChange[];
  readonly refused: boolean;
  readonly replacesUserProfile: boolean;
  /** Approving it ends the session: it changes what the session stands on. */
  readonly endsSession: boolean;
}

export interface InForce<P> {
  readonly kind: 'in_force';
  readonly inForce: PolicyRecord<P>;
  /** To be saved before the next request is answered; undefined when nothing changed. */
  readonly next?: PolicyState<P>;
  readonly pending?: PendingChange<P>;
}

/** The files cannot be used: requests get E_POLICY, and what was approved is kept. */
export interface Broken {
  readonly kind: 'broken';
  readonly problems: readonly PolicyProblem[];
}

export type PolicyDecision<P> = FirstApproval<P> | InForce<P> | Broken;

/** Where the policy stands now. */
export function decidePolicy<P>(
  definition: ProfileDefinition<P>,
  input: DecisionInput<P>,
): PolicyDecision<P> {
  const { file } = input;
  if (!file.ok) return { kind: 'broken', problems: file.problems };
  const base = baseline(input.state, file.value, input.userState);
  if (base === null) return firstApproval(definition, input.state, file.value);
  return settle(definition, base, file.value);
}

interface Baseline<P> {
  readonly state: PolicyState<P>;
  readonly approved: PolicyRecord<P>;
  readonly inForce: PolicyRecord<P>;
  readonly adopted: boolean;
}

/** The project's own approval, else the user's for the same profile: less than it may hold at once, more waits. */
function baseline<P>(
  state: PolicyState<P>,
  file: LoadedPolicy<P>,
  user?: PolicyState<P>,
): Baseline<P> | null {
  const { approved, inForce } = state;
  if (approved !== undefined && inForce !== undefined) return { state, approved, inForce, adopted: false };
  const related = file.source === 'user' || file.replaces !== undefined;
  if (!related || user?.approved === undefined || user.inForce === undefined) return null;
  const adopted = { ...state, approved: user.approved, inForce: user.inForce };
  return { state: adopted, approved: user.approved, inForce: user.inForce, adopted: true };
}

function firstApproval<P>(
  definition: ProfileDefinition<P>,
  { refused }: PolicyState<P>,
  file: LoadedPolicy<P>,
): FirstApproval<P> {
  const { fingerprint } = recordOf(file.policy);
  const replaced = file.replaces === undefined ? [] : comparePolicies(definition, file.replaces, file.policy);
  return { kind: 'first', file, fingerprint, refused: refused.includes(fingerprint), replaced };
}

function settle<P>(definition: ProfileDefinition<P>, base: Baseline<P>, file: LoadedPolicy<P>): InForce<P> {
  const before = base.inForce;
  const raises = loosenings(comparePolicies(definition, before.policy, file.policy));
  const policy = raises.length === 0 ? file.policy : meetPolicies(definition, before.policy, file.policy);
  const inForce = recordOf(policy);
  const changed = base.adopted || inForce.fingerprint !== before.fingerprint;
  return {
    kind: 'in_force',
    inForce,
    ...(changed ? { next: { ...base.state, inForce } } : {}),
    ...(raises.length === 0 ? {} : { pending: pendingOf(definition, base, inForce, file) }),
  };
}

function pendingOf<P>(
  definition: ProfileDefinition<P>,
  base: Baseline<P>,
  inForce: PolicyRecord<P>,
  file: LoadedPolicy<P>,
): PendingChange<P> {
  const { fingerprint } = recordOf(file.policy);
  const all = comparePolicies(definition, inForce.policy, file.policy);
  const waiting = loosenings(all);
  return {
    file,
    fingerprint,
    changes: shownChanges(comparePolicies(definition, base.approved.policy, file.policy), waiting),
    waiting,
    refused: base.state.refused.includes(fingerprint),
    replacesUserProfile: file.replaces !== undefined,
    endsSession: changesTarget(definition as ProfileDefinition<never>, all),
  };
}

function shownChanges(
  fromApproved: readonly PolicyChange[],
  waiting: readonly PolicyChange[],
): readonly PolicyChange[] {
  const loosened = new Set(loosenings(fromApproved).map(({ path }) => path));
  const returning = waiting.filter(({ path }) => !loosened.has(path));
  const again = new Set(returning.map(({ path }) => path));
  return [...fromApproved.filter(({ path }) => !again.has(path)), ...returning];
}

function loosenings(changes: readonly PolicyChange[]): readonly PolicyChange[] {
  return changes.filter(({ direction }) => direction === 'loosens');
}
