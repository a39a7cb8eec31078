// One screen in the window: laid out for its width, scrolled, and how far it was read. Used by window.ts. A question
// whose rows were not all in sight, or of which something is hidden, is never approved.
import { layOutRows, type LaidRow, type Screen } from 'lockkit/approval';

export class ShownScreen {
  readonly #screen: Screen;
  #columns = 0;
  #rows: readonly LaidRow[] = [];
  #hidden = 0;
  #top = 0;
  #readTo = 0;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  /** Another width is another picture: it is read anew, from its start. */
  layOut(columns: number): void {
    if (columns === this.#columns) return;
    this.#columns = columns;
    const { hidden } = layOutRows(this.#screen, columns);
    this.#rows = layOutRows(withHiddenWarning(this.#screen, hidden), columns).rows;
    this.#hidden = hidden;
    this.#top = 0;
    this.#readTo = 0;
  }

  /** The rows in sight when there is room for `height`; what is in sight counts as read, from the start on. */
  look(height: number): readonly LaidRow[] {
    this.#top = Math.max(0, Math.min(this.#top, this.#rows.length - height));
    if (this.#top <= this.#readTo) this.#readTo = Math.max(this.#readTo, this.#top + height);
    return this.#rows.slice(this.#top, this.#top + height);
  }

  /** false when nothing moved. */
  scroll(rows: number, height: number): boolean {
    const top = Math.max(0, Math.min(this.#top + rows, this.#rows.length - height));
    if (top === this.#top) return false;
    this.#top = top;
    return true;
  }

  get top(): number {
    return this.#top;
  }

  get length(): number {
    return this.#rows.length;
  }

  /** Rows that were never in sight. */
  get unread(): number {
    return Math.max(0, this.#rows.length - this.#readTo);
  }

  get approvable(): boolean {
    return this.#hidden === 0;
  }
}

function withHiddenWarning(screen: Screen, hidden: number): Screen {
  if (hidden === 0) return screen;
  const warning = [`${hidden} characters are not shown: this cannot be approved`];
  return { ...screen, warnings: [...screen.warnings, warning] };
}
