// When lists and news beside a question may change: never while an answer is being typed, and seldom enough that there
// is always time to answer. Used by window.ts. Whoever floods the lists delays their own lines only.
import { CHANGE_GUARD_MS, type Clock } from 'lockkit/approval';

/** Between two changes beside a question: the guard of a change, and two seconds in which an answer can be begun. */
const BESIDE_INTERVAL_MS = CHANGE_GUARD_MS + 2000;
/** Where nothing is asked, changes are drawn together once in so long. */
const IDLE_INTERVAL_MS = 20;

export interface BesideParts {
  readonly clock: Clock;
  readonly isAsking: () => boolean;
  readonly isTyping: () => boolean;
  /** Draws what is new; the guard of a change follows. */
  readonly apply: () => void;
}

export class BesideFeed {
  readonly #parts: BesideParts;
  #appliedMs = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | undefined;

  constructor(parts: BesideParts) {
    this.#parts = parts;
  }

  /** Something beside the question changed. */
  changed(): void {
    if (this.#cancel !== undefined) return;
    const { clock, isAsking } = this.#parts;
    const waitMs = isAsking() ? this.#appliedMs + BESIDE_INTERVAL_MS - clock.nowMs() : 0;
    this.#cancel = clock.after(Math.max(IDLE_INTERVAL_MS, waitMs), () => this.#try());
  }

  /** The whole window was drawn anew: nothing is left to apply. */
  reset(): void {
    this.#stop();
    this.#appliedMs = this.#parts.clock.nowMs();
  }

  stop(): void {
    this.#stop();
  }

  #try(): void {
    this.#cancel = undefined;
    const { clock, isAsking, isTyping, apply } = this.#parts;
    const early = clock.nowMs() - this.#appliedMs < BESIDE_INTERVAL_MS;
    if (isAsking() && (isTyping() || early)) {
      this.#cancel = clock.after(CHANGE_GUARD_MS, () => this.#try());
      return;
    }
    this.#appliedMs = clock.nowMs();
    apply();
  }

  #stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
