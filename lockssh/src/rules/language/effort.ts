// Bounds the work of one comparison, so that rules built to explode an automaton end in a named limit.
// Counted in steps, never in time: the same rules give the same answer on every machine.

/** About a second on a small machine. */
const MAX_STEPS = 15_000_000;

/** Thrown inside the language order only; its entry turns it into the limit `RULES_TOO_COMPLEX`. */
export class TooComplex extends Error {
  override readonly name = 'TooComplex';
}

export class Effort {
  #left: number;

  constructor(steps: number = MAX_STEPS) {
    this.#left = steps;
  }

  /** Throws TooComplex when the steps are used up. */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new TooComplex('too many steps');
  }
}
