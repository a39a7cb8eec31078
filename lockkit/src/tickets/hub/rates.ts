// How often each may ask in a second. Called by the hub server for every request. Memory is bounded: only who asked in
// the last second is remembered.

export class Rates {
  readonly #nowMs: () => number;
  readonly #times = new Map<string, number[]>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** false: `who` has asked `most` times within the last second. */
  admit(who: string, most: number): boolean {
    const nowMs = this.#nowMs();
    const recent = (this.#times.get(who) ?? []).filter((timeMs) => nowMs - timeMs < 1000);
    const isAdmitted = recent.length < most;
    if (isAdmitted) recent.push(nowMs);
    this.#times.delete(who);
    if (recent.length > 0) this.#times.set(who, recent);
    this.#forget(nowMs);
    return isAdmitted;
  }

  #forget(nowMs: number): void {
    for (const [who, times] of this.#times) {
      const last = times.at(-1) ?? 0;
      if (nowMs - last < 1000) return;
      this.#times.delete(who);
    }
  }
}
