// Is everything that one conjunction of rule sets allows also allowed by another? Called by the allow order with
// opened languages. It must never answer "within" before every combination of rules has been looked at.
import { parseRule } from '../parse-rule.js';
import { Effort, TooComplex } from './effort.js';
import { GapSearch, isShorter, type Gap } from './gap.js';
import { RuleIndex } from './rule-index.js';
import { shapeOf, shapesApart, type Shape } from './shape.js';

/** The rules of one set by program. */
export type OpenSet = ReadonlyMap<string, readonly Shape[]>;

/** `gap`: an argv of the inner side alone; a shortest one unless only `any` was asked for or the work ran out. */
export type Proof =
  { readonly kind: 'within' } | { readonly kind: 'gap'; readonly gap: Gap } | { readonly kind: 'undecided' };

/** A set of rules by their texts; short rules first. A rule that does not load allows nothing. */
export function openSet(rules: readonly string[]): OpenSet {
  const byProgram = new Map<string, Shape[]>();
  for (const text of new Set(rules)) {
    const parsed = parseRule(text);
    if (!parsed.ok) continue;
    const shapes = byProgram.get(parsed.rule.program) ?? [];
    shapes.push(shapeOf(parsed.rule));
    byProgram.set(parsed.rule.program, shapes);
  }
  for (const shapes of byProgram.values())
    shapes.sort((a, b) => a.fixed.length - b.fixed.length || a.bytes - b.bytes);
  return byProgram;
}

export function proveWithin(
  inner: readonly OpenSet[],
  outer: readonly OpenSet[],
  wanted: 'shortest' | 'any' = 'shortest',
  effort: Effort = new Effort(),
): Proof {
  const finder = new GapFinder(effort, wanted);
  try {
    for (const set of outer) finder.compare(inner, set);
  } catch (error) {
    if (!(error instanceof TooComplex)) throw error;
    if (finder.best === null) return { kind: 'undecided' };
  }
  return finder.best === null ? { kind: 'within' } : { kind: 'gap', gap: finder.best };
}

class GapFinder {
  best: Gap | null = null;
  readonly #effort: Effort;
  readonly #search: GapSearch;
  readonly #wanted: 'shortest' | 'any';

  constructor(effort: Effort, wanted: 'shortest' | 'any') {
    this.#effort = effort;
    this.#search = new GapSearch(effort);
    this.#wanted = wanted;
  }

  /** Keeps a shorter gap between all of `inner` and the one set `outer`. */
  compare(inner: readonly OpenSet[], outer: OpenSet): void {
    for (const program of inner[0]?.keys() ?? []) {
      const old = new RuleIndex(outer.get(program) ?? []);
      // A rule that stands in both as it is written opens no gap.
      const sides = inner.map((set) => (set.get(program) ?? []).filter((shape) => !old.has(shape)));
      if (sides.every((side) => side.length > 0)) this.#combine(program, [], sides, old);
      if (this.#isDone()) return;
    }
  }

  /** One rule of every side, as long as they have an argv in common. */
  #combine(
    program: string,
    chosen: readonly Shape[],
    sides: readonly (readonly Shape[])[],
    old: RuleIndex,
  ): void {
    const [side, ...others] = sides;
    if (side === undefined) {
      const gap = this.#search.find(program, chosen, old, this.best);
      if (gap !== null && isShorter(gap, this.best)) this.best = gap;
      return;
    }
    for (const shape of side) {
      this.#effort.spend(1 + chosen.length);
      if (chosen.some((one) => shapesApart(one, shape))) continue;
      this.#combine(program, [...chosen, shape], others, old);
      if (this.#isDone()) return;
    }
  }

  #isDone(): boolean {
    return this.#wanted === 'any' && this.best !== null;
  }
}
