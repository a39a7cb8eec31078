// The last lines of news, oldest first, with their time. Used by window.ts. Whoever floods it pushes out lines that
// the audit log still has; the count of them is shown.
import type { Line } from 'lockkit/approval';

const KEPT = 200;

export class News {
  readonly #now: () => Date;
  #lines: Line[] = [];

  constructor(now: () => Date) {
    this.#now = now;
  }

  add(line: Line): void {
    const at = this.#now();
    const two = (value: number): string => String(value).padStart(2, '0');
    this.#lines.push([`${two(at.getHours())}:${two(at.getMinutes())}  `, ...line]);
    if (this.#lines.length > KEPT) this.#lines = this.#lines.slice(-KEPT);
  }

  last(count: number): readonly Line[] {
    return this.#lines.slice(-count);
  }
}
