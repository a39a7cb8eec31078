// A clock that is moved by hand, for questions whose minutes nobody waits for. Used by area A5 to ask the real terminal
// form of the human. Between its steps everything that waits for I/O runs.
import type { Clock } from 'lockkit/approval';

interface Timer {
  readonly dueMs: number;
  readonly run: () => void;
}

export class HandClock implements Clock {
  #atMs = 0;
  #timers: readonly Timer[] = [];

  readonly nowMs = (): number => this.#atMs;

  readonly after = (delayMs: number, run: () => void): (() => void) => {
    const timer: Timer = { dueMs: this.#atMs + delayMs, run };
    this.#timers = [...this.#timers, timer];
    return () => this.#drop(timer);
  };

  /** Lets time pass: every timer that falls due runs, in order. */
  async forward(ms: number): Promise<void> {
    const endMs = this.#atMs + ms;
    await readEverything();
    for (let due = this.#next(endMs); due !== undefined; due = this.#next(endMs)) {
      this.#drop(due);
      this.#atMs = Math.max(this.#atMs, due.dueMs);
      due.run();
      await readEverything();
    }
    this.#atMs = endMs;
  }

  #drop(timer: Timer): void {
    this.#timers = this.#timers.filter((other) => other !== timer);
  }

  #next(endMs: number): Timer | undefined {
    return this.#timers.filter(({ dueMs }) => dueMs <= endMs).toSorted((a, b) => a.dueMs - b.dueMs)[0];
  }
}

/** Some turns of the event loop: bytes that were written to a stream have been read then. */
export async function readEverything(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
