// Breaks a row of units into rows that fit. Called by render-text.ts; no row may ever be wider than it is told,
// because what a terminal wraps by itself would start at the first column, outside the frame.
import type { Unit } from './visible.js';

/** At most this many columns are left empty to break a row behind a space. */
const MAX_RAGGED_COLUMNS = 16;

/** Rows of at most `first`, then `rest` columns; at least one row, every unit in exactly one of them, in order. */
export function wrapUnits(units: readonly Unit[], first: number, rest: number): readonly (readonly Unit[])[] {
  const rows: (readonly Unit[])[] = [];
  let row: Unit[] = [];
  let width = 0;
  for (const unit of units) {
    const room = rows.length === 0 ? first : rest;
    if (width + unit.width > room && row.length > 0) {
      const keep = findBreak(row, Math.min(MAX_RAGGED_COLUMNS, rest / 2));
      rows.push(row.slice(0, keep));
      row = row.slice(keep);
      width = row.reduce((sum, kept) => sum + kept.width, 0);
    }
    row.push(unit);
    width += unit.width;
  }
  rows.push(row);
  return rows;
}

/** Where to cut a full row: behind its last space when that is near its end, else at its end. */
function findBreak(row: readonly Unit[], maxRagged: number): number {
  let columns = 0;
  for (let i = row.length - 1; i > 0 && columns <= maxRagged; i -= 1) {
    if (row[i]?.text === ' ') return i + 1;
    columns += row[i]?.width ?? 0;
  }
  return row.length;
}
