// What the window looks like at one moment, as data: rows of styled units and where the cursor stands. Made by
// draw-window.ts, put on a terminal by blessed-canvas.ts. Every unit is visible text already; nothing here opens any.
import { makeVisible, showLine, type Line, type Unit } from 'lockkit/approval';

/** `danger` has a sign of its own too; `chosen` is inverse; no style is ever the only sign of a meaning. */
export type CellStyle = 'plain' | 'strong' | 'danger' | 'chosen';

export interface Piece {
  readonly units: readonly Unit[];
  readonly style: CellStyle;
}

export type FrameRow = readonly Piece[];

export interface Frame {
  readonly rows: readonly FrameRow[];
  /** Where the next typed character appears; null: nothing can be typed. */
  readonly cursor: { readonly row: number; readonly column: number } | null;
}

export interface WindowSize {
  readonly columns: number;
  readonly rows: number;
}

/** A line as one piece. */
export function piece(line: Line, style: CellStyle = 'plain'): Piece {
  return { units: showLine(line).units, style };
}

export function widthOf(row: FrameRow): number {
  return row.reduce((sum, { units }) => units.reduce((width, unit) => width + unit.width, sum), 0);
}

/** The row cut to so many columns, with `…` where something is cut. For lists only: a screen is never cut. */
export function clipRow(row: FrameRow, columns: number): FrameRow {
  if (widthOf(row) <= columns) return row;
  let room = columns - 1;
  const clipped: Piece[] = [];
  for (const { units, style } of row) {
    const kept: Unit[] = [];
    for (const unit of units) {
      if (unit.width > room)
        return [...clipped, { units: [...kept, ...makeVisible('…', 'static').units], style }];
      kept.push(unit);
      room -= unit.width;
    }
    clipped.push({ units: kept, style });
  }
  return clipped;
}
