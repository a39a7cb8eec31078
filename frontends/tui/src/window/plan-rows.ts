// How many rows each part of the window gets. Pure; used by the window and by what draws it, which must agree.
// The question comes first: lists give way, and below a smallest size no answer is taken at all.
import type { WindowSize } from './frame.js';

export interface RowPlan {
  /** One a console; none where the heading says it all. */
  readonly sources: number;
  readonly waiting: number;
  readonly news: number;
  readonly screen: number;
}

export const SMALLEST: WindowSize = { columns: 40, rows: 10 };
const LISTS_FROM: WindowSize = { columns: 80, rows: 24 };

/** Heading, message and answer line. */
const FIXED_ROWS = 3;

/** null: too small for a question to be read. */
export function planRows(
  size: WindowSize,
  has: { readonly sources: number; readonly waiting: number; readonly news: number },
): RowPlan | null {
  if (size.columns < SMALLEST.columns || size.rows < SMALLEST.rows) return null;
  if (size.columns < LISTS_FROM.columns || size.rows < LISTS_FROM.rows)
    return { sources: 0, waiting: 0, news: 0, screen: size.rows - FIXED_ROWS };
  const third = Math.floor(size.rows / 6);
  const sources = has.sources > 1 ? Math.min(has.sources, third) : 0;
  const waiting = Math.min(has.waiting, third);
  const news = Math.min(has.news, third);
  // A list has a heading of its own.
  const lists = [waiting, news].reduce((sum, rows) => sum + (rows === 0 ? 0 : rows + 1), sources);
  return { sources, waiting, news, screen: size.rows - FIXED_ROWS - lists };
}
