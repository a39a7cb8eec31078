// How a console's session ends: one reason, the first, and a signal on which everything that waits hangs. Used by
// run-console.ts and serve-session.ts. A later reason never replaces the first.

export type ConsoleEnd =
  'quit' | 'signal' | 'logout' | 'idle' | 'maximum' | 'lost' | 'target_changed' | 'failed';

/** Why the session ends, once; everything that waits hangs on its signal. */
export class Ending {
  readonly #abort = new AbortController();
  why: ConsoleEnd = 'failed';

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  readonly finish = (why: ConsoleEnd): void => {
    if (this.signal.aborted) return;
    this.why = why;
    this.#abort.abort();
  };

  onAbort(signal: AbortSignal, why: ConsoleEnd): void {
    if (signal.aborted) this.finish(why);
    signal.addEventListener('abort', () => this.finish(why), { once: true });
  }

  wait(): Promise<void> {
    return new Promise((resolve) => {
      if (this.signal.aborted) return resolve();
      this.signal.addEventListener('abort', () => resolve(), { once: true });
      return undefined;
    });
  }
}
