// One token as an automaton over code points, with the option and climbing rules built in; its deterministic states
// are made when they are first needed. Called by the search over arguments. It must agree with match-token.ts on every
// argument: the tests hold the two against each other.
import { fits, SLASH, type GlobElement } from '../glob.js';
import { codePointsOf } from '../plain-text.js';
import type { Token } from '../token.js';
import type { Effort } from './effort.js';

/** `everything`: what `**` takes, slashes too. */
type Step = GlobElement | { readonly kind: 'everything' };

/**
 * Dots of the segment that is being read: none yet, `.`, `..`, or anything else. It depends on the argument alone, so
 * all machines share it.
 */
export type Dots = 0 | 1 | 2 | 3;

/** A state is kept: its memory counts for more than a step. */
const STATE_COST = 8;
const DOT = 0x2e;
const LAST = 0x10ffff;

export function nextDots(dots: Dots, codePoint: number): Dots {
  if (codePoint === SLASH) return 0;
  if (codePoint !== DOT || dots >= 2) return 3;
  return dots === 0 ? 1 : 2;
}

/** The segment that was read is `.` or `..`. */
function climbs(dots: Dots): boolean {
  return dots === 1 || dots === 2;
}

/** A deterministic state: a set of positions, in order. */
export interface State {
  readonly positions: readonly number[];
  /** Only the state before the first character refuses options. */
  readonly start: boolean;
  readonly moves: Map<number, State | null>;
  /** Where the answer of `move` changes: code points, unordered. */
  readonly cuts: readonly number[];
}

export class Machine {
  readonly start: State;
  readonly #steps: readonly Step[];
  /** Whether the segment that a position stands in is covered by a glob. */
  readonly #guarded: readonly boolean[];
  readonly #segments: readonly number[];
  readonly #closedStarts: ReadonlySet<number>;
  readonly #effort: Effort;
  readonly #states = new Map<string, State>();

  constructor(token: Token, effort: Effort) {
    this.#effort = effort;
    const { steps, guarded, segments } = stepsOf(token);
    this.#steps = steps;
    this.#guarded = guarded;
    this.#segments = segments;
    this.#closedStarts = closedStartsOf(token);
    this.start = this.#newState(this.#closed([0]), true);
  }

  /** The state after one more code point; null when nothing can match any more. `dots` = before that code point. */
  move(state: State, codePoint: number, dots: Dots): State | null {
    const leaving = codePoint === SLASH && climbs(dots);
    const key = leaving ? -1 : codePoint;
    const known = state.moves.get(key);
    if (known !== undefined) return known;
    const next = this.#next(state, codePoint, leaving);
    state.moves.set(key, next);
    return next;
  }

  accepts(state: State, dots: Dots): boolean {
    const end = this.#steps.length;
    if (state.positions.at(-1) !== end) return false;
    return !(climbs(dots) && this.#guarded[end] === true);
  }

  /** True only if whatever the machine matches from `inner` it also matches from `outer` (same dots). */
  covers(outer: State, inner: State): boolean {
    if (outer === inner) return true;
    if (outer.start !== inner.start) return false;
    const least = outer.positions[0] ?? 0;
    const wide = isLoop(this.#steps[least]);
    this.#effort.spend((inner.positions.length + outer.positions.length) >> 3);
    let at = 0;
    return inner.positions.every((position) => {
      if (wide && this.#reaches(position, least)) return true;
      while (at < outer.positions.length && (outer.positions[at] ?? 0) < position) at += 1;
      return outer.positions[at] === position;
    });
  }

  /** From a position before a star of the same segment, everything that matches also matches from the star. */
  #reaches(position: number, star: number): boolean {
    return position <= star && this.#segments[position] === this.#segments[star];
  }

  #next(state: State, codePoint: number, leaving: boolean): State | null {
    if (state.start && this.#closedStarts.has(codePoint)) return null;
    this.#effort.spend(state.positions.length);
    const positions: number[] = [];
    for (const position of state.positions) {
      const step = this.#steps[position];
      if (step === undefined || !takes(step, codePoint)) continue;
      if (leaving && this.#guarded[position] === true) continue;
      positions.push(isLoop(step) ? position : position + 1);
    }
    return positions.length === 0 ? null : this.#stateOf(this.#closed(positions));
  }

  /** Adds what a star may skip, and drops what the last star of the set takes anyway. */
  #closed(positions: readonly number[]): readonly number[] {
    const closed = new Set<number>();
    for (const position of positions) {
      let at = position;
      closed.add(at);
      while (isLoop(this.#steps[at])) closed.add((at += 1));
    }
    const sorted = [...closed].toSorted((a, b) => a - b);
    const lastLoop = sorted.findLastIndex((position) => isLoop(this.#steps[position]));
    return lastLoop < 0 ? sorted : sorted.slice(lastLoop);
  }

  #stateOf(positions: readonly number[]): State {
    const key = positions.join(',');
    const known = this.#states.get(key);
    if (known !== undefined) return known;
    const state = this.#newState(positions, false);
    this.#states.set(key, state);
    return state;
  }

  #newState(positions: readonly number[], start: boolean): State {
    this.#effort.spend(positions.length * STATE_COST);
    const cuts = new Set<number>();
    for (const position of positions) for (const cut of cutsOf(this.#steps[position])) cuts.add(cut);
    if (start) for (const closed of this.#closedStarts) cuts.add(closed).add(closed + 1);
    return { positions, start, moves: new Map(), cuts: [...cuts] };
  }
}

function takes(step: Step, codePoint: number): boolean {
  if (step.kind === 'everything') return true;
  if (codePoint === SLASH) return isSlash(step);
  return step.kind === 'star' || fits(step, codePoint);
}

function isSlash(step: Step | undefined): boolean {
  return step?.kind === 'char' && step.codePoint === SLASH;
}

function isLoop(step: Step | undefined): boolean {
  return step?.kind === 'star' || step?.kind === 'everything';
}

function cutsOf(step: Step | undefined): readonly number[] {
  if (step === undefined || step.kind === 'everything') return [];
  if (step.kind === 'char') return [step.codePoint, step.codePoint + 1];
  const slash = [SLASH, SLASH + 1];
  if (step.kind !== 'class') return slash;
  return [...slash, ...step.set.flatMap((range) => [range.low, Math.min(range.high, LAST) + 1])];
}

function closedStartsOf(token: Token): ReadonlySet<number> {
  if (token.kind === 'literal' || token.operand) return new Set();
  return new Set([0x2b, 0x2d].filter((sign) => !token.text.startsWith(String.fromCodePoint(sign))));
}

/** `guarded` and `segments` say for every position, the end included, in what segment it stands. */
interface Program {
  readonly steps: readonly Step[];
  readonly guarded: readonly boolean[];
  readonly segments: readonly number[];
}

function stepsOf(token: Token): Program {
  if (token.kind === 'rest')
    return { steps: [{ kind: 'everything' }], guarded: [true, true], segments: [0, 0] };
  if (token.kind === 'literal') {
    const steps = codePointsOf(token.text).map(charStep);
    return { steps, guarded: [], segments: [] };
  }
  const steps: Step[] = [];
  const guarded: boolean[] = [];
  const segments: number[] = [];
  for (const [index, segment] of token.segments.entries()) {
    if (index > 0) steps.push(charStep(SLASH));
    steps.push(...segment.elements);
    while (guarded.length <= steps.length) {
      guarded.push(!segment.spelled);
      segments.push(index);
    }
  }
  return { steps, guarded, segments };
}

function charStep(codePoint: number): Step {
  return { kind: 'char', codePoint, escaped: false };
}
