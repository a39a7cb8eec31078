// When a session ends by itself: idle for too long, or open for too long. Called by the running console;
// only a request that was answered with an effect counts as use. Time and timers come in.

export interface ClockParts {
  readonly nowMs: () => number;
  /** Returns a function that takes the timer back. */
  readonly after: (ms: number, call: () => void) => () => void;
}

export interface SessionTimes {
  readonly idleTimeoutInMs: number;
  readonly sessionEndsInMs: number;
}

export class SessionClock {
  readonly #parts: ClockParts;
  readonly #limits: () => { readonly idleTimeoutMs: number; readonly maxSessionMs: number };
  readonly #onEnd: (reason: 'idle' | 'maximum') => void;
  readonly #startedMs: number;
  #usedMs: number;
  #busy = 0;
  #cancel: () => void = () => undefined;

  constructor(
    parts: ClockParts,
    limits: () => { readonly idleTimeoutMs: number; readonly maxSessionMs: number },
    onEnd: (reason: 'idle' | 'maximum') => void,
  ) {
    this.#parts = parts;
    this.#limits = limits;
    this.#onEnd = onEnd;
    this.#startedMs = parts.nowMs();
    this.#usedMs = this.#startedMs;
    this.#arm();
  }

  /** Work has begun; call the result when it ended. The idle time starts anew then. */
  use(): () => void {
    this.#busy++;
    let open = true;
    return () => {
      if (!open) return;
      open = false;
      this.#busy--;
      this.#usedMs = this.#parts.nowMs();
    };
  }

  times(): SessionTimes {
    const { idleTimeoutMs, maxSessionMs } = this.#limits();
    const nowMs = this.#parts.nowMs();
    const idleLeftMs = this.#busy > 0 ? idleTimeoutMs : this.#usedMs + idleTimeoutMs - nowMs;
    return {
      idleTimeoutInMs: Math.max(0, idleLeftMs),
      sessionEndsInMs: Math.max(0, this.#startedMs + maxSessionMs - nowMs),
    };
  }

  stop(): void {
    this.#cancel();
  }

  #arm(): void {
    const { idleTimeoutInMs, sessionEndsInMs } = this.times();
    if (sessionEndsInMs === 0) return this.#onEnd('maximum');
    if (idleTimeoutInMs === 0) return this.#onEnd('idle');
    // Limits may be tightened while the timer runs, so it never sleeps longer than a few seconds.
    const waitMs = Math.min(idleTimeoutInMs, sessionEndsInMs, 5000);
    this.#cancel = this.#parts.after(waitMs, () => this.#arm());
  }
}
