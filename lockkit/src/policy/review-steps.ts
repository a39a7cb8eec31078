// What a human's answer does to the remembered state. Called by the console after a review, by nobody else.
// `approvePolicy` is the only step that may raise what is in force; it takes the very policy that was shown.
import { valueAt, type PolicyValues } from './profile.js';
import { recordOf, type AddedMask, type PolicyState } from './state.js';

/** More are forgotten, oldest first: a forgotten refusal is asked again, never approved. */
const MAX_REFUSED = 256;
export const MAX_ADDED_MASKS = 256;

/**
 * The shown policy is approved and in force. Of the mask rules that agents added, those end that the policy now holds
 * as reviewed, those whose removal from the file was shown, and those in `ended`, which the caller has shown.
 */
export function approvePolicy<P>(
  state: PolicyState<P>,
  shown: P,
  ended: readonly AddedMask[] = [],
): PolicyState<P> {
  const record = recordOf(shown);
  const settled = new Set([
    ...masksOf(shown),
    ...masksOf(state.inForce?.policy),
    ...ended.map(({ pattern }) => pattern),
  ]);
  return {
    approved: record,
    inForce: record,
    refused: state.refused.filter((one) => one !== record.fingerprint),
    addedMasks: state.addedMasks.filter(({ pattern }) => !settled.has(pattern)),
  };
}

/** The shown policy is not asked again until `:reopen`; what was in force stays. */
export function refusePolicy<P>(state: PolicyState<P>, fingerprint: string): PolicyState<P> {
  const others = state.refused.filter((one) => one !== fingerprint);
  return { ...state, refused: [...others, fingerprint].slice(-MAX_REFUSED) };
}

/** `:reopen`: what was refused may be asked again. */
export function reopenPolicy<P>(state: PolicyState<P>, fingerprint: string): PolicyState<P> {
  return { ...state, refused: state.refused.filter((one) => one !== fingerprint) };
}

/** An agent's mask rule, in force from now on. Null: it is there already, or there are too many. */
export function addMask<P>(state: PolicyState<P>, mask: AddedMask): PolicyState<P> | null {
  const known = state.addedMasks.some(({ pattern }) => pattern === mask.pattern);
  if (known || state.addedMasks.length >= MAX_ADDED_MASKS) return null;
  return { ...state, addedMasks: [...state.addedMasks, mask] };
}

export interface MaskRules {
  /** United on one text. */
  readonly reviewed: readonly string[];
  /** After the reviewed ones, in order of arrival. */
  readonly added: readonly AddedMask[];
}

/**
 * The mask rules in force. A rule that came through an agent stays an agent's until a review approved it, also after
 * it was appended to the file; every other rule of the file counts as reviewed.
 */
export function maskRulesOf<P>(state: PolicyState<P>): MaskRules {
  const approved = masksOf(state.approved?.policy);
  const added = state.addedMasks.filter(({ pattern }) => !approved.includes(pattern));
  const fromAgents = new Set(added.map(({ pattern }) => pattern));
  const reviewed = masksOf(state.inForce?.policy).filter((pattern) => !fromAgents.has(pattern));
  return { reviewed, added };
}

/** Agents' rules that never came into the file: the human sees them, and may end them. */
export function masksOutsideFile<P>(state: PolicyState<P>): readonly AddedMask[] {
  const known = new Set([...masksOf(state.approved?.policy), ...masksOf(state.inForce?.policy)]);
  return state.addedMasks.filter(({ pattern }) => !known.has(pattern));
}

function masksOf(policy: unknown): readonly string[] {
  if (policy === undefined) return [];
  return valueAt(policy as PolicyValues, ['pii', 'mask']) as readonly string[];
}
