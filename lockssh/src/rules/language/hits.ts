// The search over one argument: of all texts that every target token matches, which smallest sets of other tokens do
// they match as well? Called by the search over argvs. An antichain search over the lazy product of the machines:
// a node that another one covers (more left to the targets, less to the others, no more bytes) is never followed.
import { ARGV_LIMITS } from '../check-argv.js';
import { utf8Length } from '../plain-text.js';
import { lettersBetween } from './alphabet.js';
import type { Effort } from './effort.js';
import { nextDots, type Dots, type Machine, type State } from './machine.js';

/** `hit`: indices of the others that match `text`, in order. `bytes` = UTF-8 length, the least for that set. */
export interface Hit {
  readonly hit: readonly number[];
  readonly bytes: number;
  readonly text: string;
}

interface Node {
  readonly targets: readonly State[];
  /** The others that may still match, by index, and their states. */
  readonly alive: readonly number[];
  readonly states: readonly State[];
  readonly dots: Dots;
  readonly bytes: number;
  readonly parent: Node | null;
  readonly codePoint: number;
  dropped: boolean;
}

/** Cheapest first; no hit set contains one that comes before it. [] when the targets share no argument. */
export function findHits(
  targets: readonly Machine[],
  others: readonly Machine[],
  effort: Effort,
): readonly Hit[] {
  return new HitSearch(targets, others, effort).run();
}

class HitSearch {
  readonly #targets: readonly Machine[];
  readonly #others: readonly Machine[];
  readonly #effort: Effort;
  /** Waiting nodes by their bytes. */
  readonly #waiting: Node[][] = [];
  /** Nodes that are worth comparing. */
  readonly #seen = new Map<number, Node[]>();
  readonly #hits: Hit[] = [];

  constructor(targets: readonly Machine[], others: readonly Machine[], effort: Effort) {
    this.#targets = targets;
    this.#others = others;
    this.#effort = effort;
  }

  run(): readonly Hit[] {
    this.#waiting[0] = [this.#first()];
    for (let bytes = 0; bytes < this.#waiting.length; bytes += 1) {
      const nodes = this.#waiting[bytes] ?? [];
      for (const node of nodes) {
        if (this.#isDropped(node)) continue;
        if (this.#record(node)) return this.#hits;
        this.#follow(node);
      }
      this.#waiting[bytes] = [];
    }
    return this.#hits;
  }

  #first(): Node {
    return {
      targets: this.#targets.map((machine) => machine.start),
      alive: this.#others.map((_, index) => index),
      states: this.#others.map((machine) => machine.start),
      dots: 0,
      bytes: 0,
      parent: null,
      codePoint: 0,
      dropped: false,
    };
  }

  /** Notes what this text hits, unless a cheaper text hits no more. True when nothing can be better. */
  #record(node: Node): boolean {
    if (!this.#targets.every((machine, index) => machine.accepts(node.targets[index] as State, node.dots)))
      return false;
    const hit = node.alive.filter((other, at) =>
      this.#other(other).accepts(node.states[at] as State, node.dots),
    );
    if (this.#hits.some((known) => isSubset(known.hit, hit))) return false;
    this.#hits.push({ hit, bytes: node.bytes, text: textOf(node) });
    return hit.length === 0;
  }

  #follow(node: Node): void {
    const cuts = new Set<number>([0x2e, 0x2f, 0x30]);
    for (const state of node.targets) for (const cut of state.cuts) cuts.add(cut);
    for (const state of node.states) for (const cut of state.cuts) cuts.add(cut);
    for (const { codePoint } of lettersBetween(cuts)) {
      const bytes = node.bytes + utf8Length(codePoint);
      if (bytes > ARGV_LIMITS.maxArgumentBytes) continue;
      const next = this.#step(node, codePoint, bytes);
      if (next !== null && !this.#isCovered(next)) this.#push(next);
    }
  }

  /** The node behind one more character, unless the targets cannot go there or another node covers it. */
  #step(node: Node, codePoint: number, bytes: number): Node | null {
    this.#effort.spend(node.targets.length + node.alive.length);
    const targets = this.#moveTargets(node, codePoint);
    if (targets === null) return null;
    const alive: number[] = [];
    const states: State[] = [];
    for (let at = 0; at < node.alive.length; at += 1) {
      const other = node.alive[at] as number;
      const next = this.#other(other).move(node.states[at] as State, codePoint, node.dots);
      if (next === null) continue;
      alive.push(other);
      states.push(next);
    }
    const dots = nextDots(node.dots, codePoint);
    return { targets, alive, states, dots, bytes, parent: node, codePoint, dropped: false };
  }

  #moveTargets(node: Node, codePoint: number): readonly State[] | null {
    const targets: State[] = [];
    for (let index = 0; index < node.targets.length; index += 1) {
      const next = this.#target(index).move(node.targets[index] as State, codePoint, node.dots);
      if (next === null) return null;
      targets.push(next);
    }
    return targets;
  }

  #push(node: Node): void {
    (this.#waiting[node.bytes] ??= []).push(node);
    const family = familyOf(node);
    const seen = this.#seen.get(family);
    if (seen === undefined) this.#seen.set(family, [node]);
    else seen.push(node);
  }

  /** Again when its turn comes: a node that was found later may cover it. Of two equal ones the first stays. */
  #isDropped(node: Node): boolean {
    node.dropped = node.parent !== null && this.#isCovered(node);
    return node.dropped;
  }

  #isCovered(node: Node): boolean {
    const seen = this.#seen.get(familyOf(node)) ?? [];
    this.#effort.spend(1 + seen.length);
    return seen.some((other) => other !== node && !other.dropped && this.#covers(other, node));
  }

  /** Whatever can follow `worse` can follow `better`, and hits no more there. */
  #covers(better: Node, worse: Node): boolean {
    if (better.bytes > worse.bytes || better.alive.length > worse.alive.length) return false;
    this.#effort.spend(1 + (better.alive.length >> 2));
    return (
      worse.targets.every((state, index) =>
        this.#target(index).covers(better.targets[index] as State, state),
      ) && this.#hitsNoMore(better, worse)
    );
  }

  #hitsNoMore(better: Node, worse: Node): boolean {
    let at = 0;
    for (let index = 0; index < better.alive.length; index += 1) {
      const other = better.alive[index] as number;
      while (at < worse.alive.length && (worse.alive[at] as number) < other) at += 1;
      if (worse.alive[at] !== other) return false;
      if (!this.#other(other).covers(worse.states[at] as State, better.states[index] as State)) return false;
    }
    return true;
  }

  #target(index: number): Machine {
    return this.#targets[index] as Machine;
  }

  #other(index: number): Machine {
    return this.#others[index] as Machine;
  }
}

/** Only nodes with the same dots compare; that they also stand at the same place of the first target is a guess. */
function familyOf(node: Node): number {
  return (node.targets[0]?.positions[0] ?? 0) * 4 + node.dots;
}

/** Both in order. */
export function isSubset(inner: readonly number[], outer: readonly number[]): boolean {
  let at = 0;
  return inner.every((value) => {
    while (at < outer.length && (outer[at] ?? 0) < value) at += 1;
    return outer[at] === value;
  });
}

function textOf(node: Node): string {
  const characters: string[] = [];
  for (let at: Node | null = node; at?.parent != null; at = at.parent) {
    characters.push(String.fromCodePoint(at.codePoint));
  }
  return characters.toReversed().join('');
}
