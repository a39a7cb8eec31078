// A screen as text for a terminal: the box of the specification ("The approval screen"). Called by the terminal form of
// the human and by whatever prints a screen. Knows no lock type; nothing from outside may reach the text but as
// visible text inside the frame. Colour is never the only sign.
import type { Line } from './line.js';
import type { Screen } from './screen.js';
import { showLine, toRows, type Row, type RowStyle } from './screen-rows.js';
import { joinUnits } from './visible.js';
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
  const rows = toRows(screen);
  return {
    rows: rows.flatMap((row) => layOutRow(row, options)),
    hidden: rows.reduce((sum, row) => sum + row.content.hidden, 0),
  };
}

/** One line as visible text, without a frame and unwrapped: for notes. */
export function renderLine(line: Line): string {
  return joinUnits(showLine(line).units);
}

function layOutRow(row: Row, options: RenderOptions): readonly string[] {
  const columns = Math.max(MIN_COLUMNS, options.columns);
  const rows = wrapUnits(row.content.units, columns - row.frame.length, columns - row.continued.length);
  return rows.map((units, index) => {
    const frame = index === 0 ? row.frame : row.continued;
    const text = joinUnits(units);
    return text === '' ? frame.trimEnd() : frame + paint(text, STYLE_CODES[row.style], options.colour);
  });
}

function paint(text: string, code: string, colour: boolean): string {
  return colour && code !== '' ? `${code}${text}${RESET}` : text;
}
