// A screen as text for a terminal: the box of the specification ("The approval screen"). Called by the terminal form of
// the human and by whatever prints a screen. Knows no lock type; nothing from outside may reach the text but as
// visible text inside the frame. Colour is never the only sign.
import type { Line } from './line.js';
import type { Screen } from './screen.js';
import { showLine, toRows, type Row, type RowStyle } from './screen-rows.js';
import { joinUnits, type Unit } from './visible.js';
import { wrapUnits } from './wrap.js';

export interface RenderOptions {
  /** Width of the terminal; below 24 counts as 24. */
  readonly columns: number;
  /** False under NO_COLOR and where the output is no terminal. */
  readonly colour: boolean;
}

/** A screen laid out: its rows without newlines, and how many code points did not fit into them. */
export interface Layout {
  readonly rows: readonly string[];
  readonly hidden: number;
}

/** One row of a laid-out screen: `frame` is never styled, `units` are. Together they are at most `columns` wide. */
export interface LaidRow {
  readonly frame: string;
  readonly units: readonly Unit[];
  readonly style: RowStyle;
}

const MIN_COLUMNS = 24;
const STYLE_CODES: Readonly<Record<RowStyle, string>> = {
  plain: '',
  strong: '\u001b[1m',
  danger: '\u001b[31m',
};
const RESET = '\u001b[0m';

/** The rows of the screen joined by newlines, ending with the prompt when there is a question. */
export function renderScreen(screen: Screen, options: RenderOptions): string {
  return layOutScreen(screen, options).rows.join('\n');
}

/** As renderScreen, with the count of code points that are not shown. A screen that hides any cannot be approved. */
export function layOutScreen(screen: Screen, options: RenderOptions): Layout {
  const { rows, hidden } = layOutRows(screen, options.columns);
  return { rows: rows.map((row) => renderRow(row, options)), hidden };
}

/** As layOutScreen, for renderers that draw cells: the same rows, each with its units and style. */
export function layOutRows(
  screen: Screen,
  columns: number,
): { readonly rows: readonly LaidRow[]; readonly hidden: number } {
  const rows = toRows(screen);
  return {
    rows: rows.flatMap((row) => layOutRow(row, Math.max(MIN_COLUMNS, columns))),
    hidden: rows.reduce((sum, row) => sum + row.content.hidden, 0),
  };
}

/** One line as visible text, without a frame and unwrapped: for notes. */
export function renderLine(line: Line): string {
  return joinUnits(showLine(line).units);
}

function layOutRow(row: Row, columns: number): readonly LaidRow[] {
  const rows = wrapUnits(row.content.units, columns - row.frame.length, columns - row.continued.length);
  return rows.map((units, index) => {
    const frame = index === 0 ? row.frame : row.continued;
    return { frame: units.length === 0 ? frame.trimEnd() : frame, units, style: row.style };
  });
}

function renderRow({ frame, units, style }: LaidRow, { colour }: RenderOptions): string {
  const code = STYLE_CODES[style];
  const text = joinUnits(units);
  return frame + (colour && code !== '' && text !== '' ? `${code}${text}${RESET}` : text);
}
