// What waits for the human, in the order in which it came, and which of it is chosen. Used by window.ts. A choice is
// held by id: whatever comes or goes beside it, the keys stay with what the human chose.
import type { Answer, QuestionAbout, Screen } from 'lockkit/approval';

/** A question, or a page that is only to be read. */
export interface Waiting {
  readonly id: string;
  /** Whose it is: a console of the window. */
  readonly source: string;
  readonly screen: Screen;
  readonly about: QuestionAbout;
  readonly sinceMs: number;
  /** Gets the answer of a question, once. */
  readonly settle?: (answer: Answer) => void;
}

export function isQuestion({ screen }: Waiting): boolean {
  return screen.question !== undefined;
}

export class WaitingList {
  readonly #items = new Map<string, Waiting>();
  #chosen: string | undefined;
  #questions = 0;

  get size(): number {
    return this.#items.size;
  }

  get questions(): number {
    return this.#questions;
  }

  get chosen(): Waiting | undefined {
    return this.#chosen === undefined ? undefined : this.#items.get(this.#chosen);
  }

  find(id: string): Waiting | undefined {
    return this.#items.get(id);
  }

  /** An id that is there already is a bug of the caller: nothing is ever replaced under a human's eyes. */
  add(item: Waiting): void {
    if (this.#items.has(item.id)) throw new Error('two things that wait have one id');
    this.#items.set(item.id, item);
    if (isQuestion(item)) this.#questions += 1;
  }

  /** Chooses nothing in its place: that is the window's step, and the human must see it. */
  remove(id: string): Waiting | undefined {
    const item = this.#items.get(id);
    if (item === undefined) return undefined;
    this.#items.delete(id);
    if (isQuestion(item)) this.#questions -= 1;
    if (this.#chosen === id) this.#chosen = undefined;
    return item;
  }

  choose(id: string | undefined): void {
    this.#chosen = id;
  }

  /** The one before or behind the chosen one; stays where it is at an end. */
  neighbour(step: 1 | -1): Waiting | undefined {
    const items = [...this.#items.values()];
    const at = items.findIndex(({ id }) => id === this.#chosen);
    return items[at < 0 ? 0 : at + step];
  }

  /** What is shown next by itself: the oldest question, else the oldest page. */
  first(): Waiting | undefined {
    for (const item of this.#items.values()) if (isQuestion(item)) return item;
    return this.#items.values().next().value;
  }

  /** At most `count` items in order, the chosen one among them, and how many stand before them. */
  around(count: number): { readonly before: number; readonly items: readonly Waiting[] } {
    const ids = [...this.#items.keys()];
    const at = this.#chosen === undefined ? 0 : Math.max(0, ids.indexOf(this.#chosen));
    const before = Math.max(0, Math.min(at - Math.floor(count / 2), ids.length - count));
    const items = ids.slice(before, before + count).flatMap((id) => this.#items.get(id) ?? []);
    return { before, items };
  }

  /** Oldest first. */
  pagesOf(source: string): readonly Waiting[] {
    return this.all().filter((item) => item.source === source && !isQuestion(item));
  }

  all(): readonly Waiting[] {
    return [...this.#items.values()];
  }
}
