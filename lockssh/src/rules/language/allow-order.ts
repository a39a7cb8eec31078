// What "tighter" means for allow rules: the language of argvs that they allow (docs/decisions.md, "Policy").
// Called by the policy comparison and by the meet while a loosening waits. It must never call a change tighter that
// allows one argv more; what it cannot decide in bounded work it calls a loosening.
import { Effort } from './effort.js';
import { openSet, proveWithin, type OpenSet } from './within.js';

/** A conjunction of rule sets: an argv is allowed when every set has a rule for it. No set at all allows nothing. */
export type AllowLanguage = readonly (readonly string[])[];

export interface AllowComparison {
  readonly direction: 'same' | 'tightens' | 'loosens';
  /** With `loosens`: a shortest argv that the new value allows and the old one does not. */
  readonly witness?: readonly string[];
  /** The rules exhausted the bounded search: `loosens` then means "not proved to tighten". */
  readonly limit?: 'RULES_TOO_COMPLEX';
}

/** More sets than this are joined into one that may allow less than all of them together, never more. */
export const MAX_SETS = 8;
const MEET_STEPS = 500_000;

function compareAllow(before: AllowLanguage, after: AllowLanguage): AllowComparison {
  const old = setsOf(before).map(openSet);
  const next = setsOf(after).map(openSet);
  const loosening = proveWithin(next, old);
  if (loosening.kind === 'undecided') return { direction: 'loosens', limit: 'RULES_TOO_COMPLEX' };
  if (loosening.kind === 'gap') return { direction: 'loosens', witness: loosening.gap.argv };
  return { direction: proveWithin(old, next, 'any').kind === 'within' ? 'same' : 'tightens' };
}

function meetAllow(approved: AllowLanguage, other: AllowLanguage): AllowLanguage {
  const sets = distinctSets([...setsOf(approved), ...setsOf(other)]);
  const opened = new Map(sets.map((set) => [set, openSet(set)]));
  const kept = withoutWider(sets, opened);
  return kept.length <= MAX_SETS ? kept : [rulesInAll(kept, opened)];
}

/** Exact on argvs and total on rules: `compare(before, after)`, `meet(approved, other)`. */
export const allowOrder = { name: 'language', compare: compareAllow, meet: meetAllow } as const;

function setsOf(language: AllowLanguage): AllowLanguage {
  return language.length === 0 ? [[]] : language;
}

/** Each set sorted, without doubles; the sets too: the meet is written the same whichever side comes first. */
function distinctSets(sets: AllowLanguage): AllowLanguage {
  const byText = new Map(
    sets.map((set) => [...new Set(set)].toSorted()).map((set) => [JSON.stringify(set), set]),
  );
  return [...byText].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, set]) => set);
}

/** A set adds nothing beside another one that lies within it; of equal ones the first stays. */
function withoutWider(sets: AllowLanguage, opened: ReadonlyMap<readonly string[], OpenSet>): AllowLanguage {
  const kept: (readonly string[])[] = [];
  for (const set of sets) {
    if (kept.some((other) => isWithin(other, set, opened))) continue;
    const narrower = kept.filter((other) => !isWithin(set, other, opened));
    kept.splice(0, kept.length, ...narrower, set);
  }
  return kept;
}

function isWithin(
  inner: readonly string[],
  outer: readonly string[],
  opened: ReadonlyMap<readonly string[], OpenSet>,
): boolean {
  const sides = [opened.get(inner), opened.get(outer)];
  const [a = new Map(), b = new Map()] = sides;
  return proveWithin([a], [b], 'any', new Effort(MEET_STEPS)).kind === 'within';
}

/** The rules that lie within every set: below all of them. */
function rulesInAll(sets: AllowLanguage, opened: ReadonlyMap<readonly string[], OpenSet>): readonly string[] {
  const outer = sets.map((set) => opened.get(set) ?? new Map());
  const effort = new Effort();
  const rules = [...new Set(sets.flat())].toSorted();
  return rules.filter((rule) => proveWithin([openSet([rule])], outer, 'any', effort).kind === 'within');
}
