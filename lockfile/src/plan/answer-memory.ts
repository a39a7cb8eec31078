// What a session has answered about a file, and how much it has revealed of each key. It outlives `release`: a
// question that was run once about the same bytes is never run again, it gets the stored answer.
import type { FailureCause } from 'lockkit/sandbox';

/** One run's end as it is kept; the failure's cause is for the audit only. */
export type StoredAnswer =
  | { readonly kind: 'answered'; readonly answer: 0 | 1 }
  | { readonly kind: 'failed'; readonly cause: FailureCause };

/** The key, its content and the question. */
export function memoryKey(key: string, contentHash: string, question: string): string {
  return JSON.stringify([key, contentHash, question]);
}

export class AnswerMemory {
  readonly #answers = new Map<string, Promise<StoredAnswer | null>>();
  readonly #revealed = new Map<string, number>();

  /**
   * The stored answer, or `run`'s. Two runs of the same question at once are one. A run that ends with null (it was
   * stopped, nothing was learnt) is not kept.
   */
  async once(
    key: string,
    run: () => Promise<StoredAnswer | null>,
  ): Promise<{ readonly answer: StoredAnswer | null; readonly stored: boolean }> {
    for (let known = this.#answers.get(key); known !== undefined; known = this.#answers.get(key)) {
      const answer = await known.catch(() => null);
      if (answer !== null) return { answer, stored: true };
      this.#forget(key, known);
    }
    const running = run();
    this.#answers.set(key, running);
    try {
      const answer = await running;
      if (answer === null) this.#forget(key, running);
      return { answer, stored: false };
    } catch (error) {
      this.#forget(key, running);
      throw error;
    }
  }

  #forget(key: string, run: Promise<unknown>): void {
    if (this.#answers.get(key) === run) this.#answers.delete(key);
  }

  /** Adds to what the key has revealed: answers, failures and failed fetches alike. */
  reveal(key: string, answers: number): void {
    if (answers > 0) this.#revealed.set(key, this.revealedBy(key) + answers);
  }

  revealedBy(key: string): number {
    return this.#revealed.get(key) ?? 0;
  }

  /** Keys and counts, those that revealed most first. */
  revealed(): readonly (readonly [key: string, answers: number])[] {
    return [...this.#revealed].toSorted(([, left], [, right]) => right - left);
  }
}
