// Lets as many sessions run at once as the server allows; the others wait in order.
// Called by every run. A server that allows fewer than expected is found out, and never fails a request for it.

/** A turn; `release` gives it back once, however often it is called. */
export interface Turn {
  readonly release: () => void;
}

export class SessionQueue {
  #limit: number;
  #active = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  get active(): number {
    return this.#active;
  }

  /** Resolves when a session may be opened; rejects with the signal's reason when that comes first. */
  async take(signal: AbortSignal): Promise<Turn> {
    signal.throwIfAborted();
    if (this.#active < this.#limit) return this.#begin();
    return await new Promise<Turn>((resolve, reject) => {
      const onAbort = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(start), 1);
        reject(signal.reason as Error);
      };
      const start = (): void => {
        signal.removeEventListener('abort', onAbort);
        resolve(this.#begin());
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.push(start);
    });
  }

  /**
   * The server refused one more session while others of ours were open: their number is its limit.
   * False when none was open: then it is no limit but a refusal.
   */
  shrink(): boolean {
    const others = this.#active - 1;
    if (others < 1) return false;
    this.#limit = Math.min(this.#limit, others);
    return true;
  }

  #begin(): Turn {
    this.#active++;
    let isHeld = true;
    return {
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#active--;
        if (this.#active < this.#limit) this.#waiting.shift()?.();
      },
    };
  }
}
