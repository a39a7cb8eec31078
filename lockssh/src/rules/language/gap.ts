// The search over argvs: a shortest argv that some rules of the new side allow together and no rule of the old side
// allows. Called by the language order with rules of one program. It goes argument by argument; a state is the set of
// old rules that still fit, and of those only the smallest are followed.
import { ARGV_LIMITS } from '../check-argv.js';
import { fitToken } from '../match-token.js';
import { utf8Bytes } from '../plain-text.js';
import type { Token } from '../token.js';
import type { Effort } from './effort.js';
import { findHits, isSubset, type Hit } from './hits.js';
import { Machine } from './machine.js';
import type { RuleIndex } from './rule-index.js';
import { endsAt, MAX_OPERANDS, shapesApart, tokenAt, tokenKey, type Shape } from './shape.js';
import { coversShape } from './token-cover.js';

/** `bytes` of all arguments, the program included. */
export interface Gap {
  readonly argv: readonly string[];
  readonly bytes: number;
}

interface Path {
  /** Old rules that still fit, by index, in order. */
  readonly alive: readonly number[];
  readonly bytes: number;
  readonly argv: readonly string[];
}

/** Fewer arguments first, then fewer bytes. */
export function isShorter(a: Gap, b: Gap | null): boolean {
  if (b === null || a.argv.length !== b.argv.length) return b === null || a.argv.length < b.argv.length;
  return a.bytes < b.bytes;
}

export class GapSearch {
  readonly #effort: Effort;
  readonly #machines = new Map<string, Machine>();
  readonly #hits = new Map<string, readonly Hit[]>();

  constructor(effort: Effort) {
    this.#effort = effort;
  }

  /** A shortest argv of `program` within the limits of an argv, or null: then the old rules allow all of it. */
  find(program: string, together: readonly Shape[], old: RuleIndex, best: Gap | null): Gap | null {
    const [first] = together;
    if (first === undefined || together.some((shape) => isLongerThan(program, shape, best))) return null;
    const near = old.near(first, this.#effort);
    this.#effort.spend(near.length * together.length);
    const rivals = near.filter((shape) => together.every((one) => !shapesApart(one, shape)));
    if (rivals.some((rival) => together.some((one) => coversShape(rival, one)))) return null;
    const settled = Math.max(...[...together, ...rivals].map((shape) => shape.fixed.length));
    const start = { alive: rivals.map((_, index) => index), bytes: utf8Bytes(program), argv: [program] };
    let paths: readonly Path[] = [start];
    const known: Path[] = [];
    for (let count = 0; paths.length > 0; count += 1) {
      if (best !== null && count + 1 > best.argv.length) return null;
      if (together.every((shape) => endsAt(shape, count))) {
        const gap = cheapest(paths.filter((path) => path.alive.every((at) => !ends(rivals, at, count))));
        if (gap !== null) return gap;
      }
      if (count >= MAX_OPERANDS) return null;
      if (count >= settled) known.push(...paths);
      const further = paths.flatMap((path) => this.#extend(path, together, rivals, count));
      paths = smallest(further, known, this.#effort);
    }
    return null;
  }

  #extend(path: Path, together: readonly Shape[], rivals: readonly Shape[], count: number): readonly Path[] {
    const targets = together.map((shape) => tokenAt(shape, count));
    if (targets.some((token) => token === null)) return [];
    const tokens = new Map<string, { readonly token: Token; readonly shapes: number[] }>();
    for (const index of path.alive) {
      const token = tokenAt(rivals[index] as Shape, count);
      if (token === null) continue;
      const entry = tokens.get(tokenKey(token));
      if (entry === undefined) tokens.set(tokenKey(token), { token, shapes: [index] });
      else entry.shapes.push(index);
    }
    const others = [...tokens.values()];
    const hits = this.#hitsOf(
      targets as readonly Token[],
      others.map((other) => other.token),
    );
    return hits.flatMap(({ hit, bytes, text }) => {
      if (path.bytes + bytes > ARGV_LIMITS.maxArgvBytes) return [];
      const alive = hit.flatMap((at) => others[at]?.shapes ?? []).toSorted((a, b) => a - b);
      return [{ alive, bytes: path.bytes + bytes, argv: [...path.argv, text] }];
    });
  }

  #hitsOf(targets: readonly Token[], others: readonly Token[]): readonly Hit[] {
    const literal = targets.find((token) => token.kind === 'literal');
    if (literal !== undefined) return this.#literalHits(literal.text, targets, others);
    const key = [targets.map(tokenKey).join(' '), ...others.map(tokenKey)].join(' ');
    const known = this.#hits.get(key);
    if (known !== undefined) return known;
    const hits = findHits(
      targets.map((token) => this.#machine(token)),
      others.map((token) => this.#machine(token)),
      this.#effort,
    );
    this.#hits.set(key, hits);
    return hits;
  }

  #literalHits(text: string, targets: readonly Token[], others: readonly Token[]): readonly Hit[] {
    this.#effort.spend(targets.length + others.length);
    if (!targets.every((token) => fitToken(token, text) === 'fits')) return [];
    const hit = [...others.keys()].filter((index) => fitToken(others[index] as Token, text) === 'fits');
    return [{ hit, bytes: utf8Bytes(text), text }];
  }

  #machine(token: Token): Machine {
    const key = tokenKey(token);
    const known = this.#machines.get(key);
    if (known !== undefined) return known;
    this.#effort.spend(token.text.length);
    const machine = new Machine(token, this.#effort);
    this.#machines.set(key, machine);
    return machine;
  }
}

/** Whatever the rule allows is no shorter than what was found already. */
function isLongerThan(program: string, shape: Shape, best: Gap | null): boolean {
  if (best === null || shape.fixed.length + 1 !== best.argv.length)
    return best !== null && shape.fixed.length >= best.argv.length;
  return utf8Bytes(program) + shape.bytes >= best.bytes;
}

function ends(rivals: readonly Shape[], index: number, count: number): boolean {
  return endsAt(rivals[index] as Shape, count);
}

function cheapest(paths: readonly Path[]): Gap | null {
  return paths.reduce<Gap | null>((best, path) => (isShorter(path, best) ? path : best), null);
}

/** Those that no other one covers: fewer old rules left at no more bytes. `known` paths stood where nothing changes. */
function smallest(paths: readonly Path[], known: readonly Path[], effort: Effort): readonly Path[] {
  const kept: Path[] = [];
  const inOrder = paths.toSorted((a, b) => a.bytes - b.bytes || a.alive.length - b.alive.length);
  for (const path of inOrder) {
    effort.spend(1 + kept.length + known.length);
    const covers = (other: Path): boolean => other.bytes <= path.bytes && isSubset(other.alive, path.alive);
    if (!kept.some(covers) && !known.some(covers)) kept.push(path);
  }
  return kept;
}
