// Time as a parameter: what the connection knows of the clock. Called by everything here that waits.
// It must never be read elsewhere, so that a test can hold the clock still.

import { performance } from 'node:perf_hooks';

export interface Clock {
  /** Milliseconds that never run backwards. */
  readonly nowMs: () => number;
  /** Runs `then` once after the delay; the answer cancels it. */
  readonly after: (delayMs: number, then: () => void) => () => void;
}

export const systemClock: Clock = {
  nowMs: () => performance.now(),
  after: (delayMs, then) => {
    const timer = setTimeout(then, delayMs);
    return () => {
      clearTimeout(timer);
    };
  },
};
