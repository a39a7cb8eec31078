// Finds the rules of one program that may share an argv with another rule, without asking every one of them.
// Called by the search over argvs. It may hand out rules that share nothing; it must never leave one out that does.
import type { Effort } from './effort.js';
import { shapesApart, type Shape } from './shape.js';

export class RuleIndex {
  /** The place in the rules that tells most of them apart. */
  readonly #place: number;
  /** By the literal beginning of the argument there; a rule without a fixed one has ''. */
  readonly #byPrefix = new Map<string, Shape[]>();
  readonly #prefixes: readonly string[];
  readonly #keys: ReadonlySet<string>;

  constructor(shapes: readonly Shape[]) {
    this.#place = bestPlace(shapes);
    for (const shape of shapes) {
      const prefix = this.#prefixOf(shape);
      const list = this.#byPrefix.get(prefix);
      if (list === undefined) this.#byPrefix.set(prefix, [shape]);
      else list.push(shape);
    }
    this.#prefixes = [...this.#byPrefix.keys()].toSorted((a, b) => (a < b ? -1 : 1));
    this.#keys = new Set(shapes.map((shape) => shape.key));
  }

  /** The same rule, as it is written. */
  has(shape: Shape): boolean {
    return this.#keys.has(shape.key);
  }

  near(shape: Shape, effort: Effort): readonly Shape[] {
    const prefix = this.#prefixOf(shape);
    const found = this.#prefixesOf(prefix).flatMap((each) => this.#byPrefix.get(each) ?? []);
    effort.spend(1 + found.length);
    return found.filter((other) => !shapesApart(shape, other));
  }

  #prefixOf(shape: Shape): string {
    return shape.prefixes[this.#place] ?? '';
  }

  /** Those that begin with `prefix`, and those that it begins with. */
  #prefixesOf(prefix: string): readonly string[] {
    const found: string[] = [];
    for (let length = 0; length < prefix.length; length += 1) {
      const shorter = prefix.slice(0, length);
      if (this.#byPrefix.has(shorter)) found.push(shorter);
    }
    for (let at = this.#firstFrom(prefix); this.#prefixes[at]?.startsWith(prefix) === true; at += 1) {
      found.push(this.#prefixes[at] ?? '');
    }
    return found;
  }

  /** Index of the first prefix that is not before `prefix`. */
  #firstFrom(prefix: string): number {
    let low = 0;
    let high = this.#prefixes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#prefixes[middle] ?? '') < prefix) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Of the first places, the one with the most different beginnings. */
function bestPlace(shapes: readonly Shape[]): number {
  const counts = [0, 1, 2, 3].map(
    (place) => new Set(shapes.map((shape) => shape.prefixes[place] ?? '')).size,
  );
  return counts.indexOf(Math.max(...counts));
}
