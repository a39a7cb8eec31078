// When answers may leave: at the next multiple of the quantum after the run started, so that how long a plugin took
// shows only as a number of quanta. Pure; the clock is a parameter.

/** Milliseconds to wait, from `nowMs`. The first moment is one quantum after the start; both are of one monotonic clock. */
export function waitUntilRelease(startedMs: number, nowMs: number, quantumMs: number): number {
  const elapsedMs = Math.max(0, nowMs - startedMs);
  const quanta = Math.max(1, Math.ceil(elapsedMs / quantumMs));
  return startedMs + quanta * quantumMs - nowMs;
}
