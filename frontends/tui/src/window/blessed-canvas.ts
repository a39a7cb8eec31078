// The terminal that the window is drawn on: the one file that knows blessed. Blessed holds the cells and writes what
// changed; it reads no key (the answer's keys go through the guard alone), starts no process, and trusts no file that
// an environment variable names. Widths are ours (lockkit's visible text), never blessed's table of 2015.
import { PassThrough, type Writable } from 'node:stream';
import blessed from 'blessed';
import type { CellStyle, Frame, FrameRow, WindowSize } from './frame.js';

export interface Canvas {
  readonly size: () => WindowSize;
  readonly draw: (frame: Frame) => void;
  /** The terminal's bell. */
  readonly ring: () => void;
  /** Gives the terminal its former content back. Synchronous; may be called twice. */
  readonly restore: () => void;
}

export type TerminalOutput = Writable & { columns?: number; rows?: number };

/** What @types/blessed leaves out: the rows as drawn, and the switch that keeps line drawing in UTF-8. */
interface DrawingScreen extends blessed.Widgets.Screen {
  olines: [number, string][][];
}

/** A path that cannot exist: blessed then takes the description of xterm that it brings along. */
const OWN_XTERM = '/dev/null/xterm';
const [BOLD, INVERSE, DEFAULT_COLOUR, RED] = [1, 8, 0x1ff, 1];
const [WRAP_OFF, WRAP_ON] = ['\u001b[?7l', '\u001b[?7h'];

export function openBlessedCanvas(output: TerminalOutput, colour: boolean): Canvas {
  const screen = openScreen(output);
  const { program } = screen;
  output.write(WRAP_OFF);
  let shown: readonly string[] = [];
  const plain: boolean[] = [];
  let restored = false;
  screen.on('resize', () => (shown = []));
  return {
    size: () => ({ columns: output.columns ?? 80, rows: output.rows ?? 24 }),
    draw: (frame) => {
      if (restored) return;
      const rows = frame.rows.map((row) => JSON.stringify(row));
      frame.rows.forEach((row, y) => {
        if (rows[y] === shown[y]) return;
        const wasPlain = plain[y] ?? true;
        plain[y] = fillRow(screen, row, y, colour);
        if (!plain[y] || !wasPlain) redrawWhole(screen, y);
      });
      shown = rows;
      screen.draw(0, Number(screen.height) - 1);
      if (frame.cursor === null) program.hideCursor();
      else {
        program.cursorPos(frame.cursor.row, frame.cursor.column);
        program.showCursor();
      }
      program.flush();
    },
    ring: () => void output.write('\u0007'),
    restore: () => {
      if (restored) return;
      restored = true;
      screen.destroy();
      output.write(WRAP_ON);
    },
  };
}

function openScreen(output: TerminalOutput): DrawingScreen {
  // Inside tmux blessed would run `tmux -V` from the PATH; the console starts no process that it does not name.
  const { TMUX: tmux } = process.env;
  delete process.env['TMUX'];
  const screen = blessed.screen({
    input: new PassThrough() as never,
    output: output as never,
    terminal: OWN_XTERM,
    forceUnicode: true,
    fullUnicode: false,
    smartCSR: false,
    useBCE: false,
    autoPadding: false,
    warnings: false,
  }) as DrawingScreen;
  if (tmux !== undefined) process.env['TMUX'] = tmux;
  // Else line drawing goes out in a character set of the terminal, which capture and screen readers cannot read.
  (screen.program as unknown as { tput: { brokenACS: boolean } }).tput.brokenACS = true;
  return screen;
}

/** Puts a row into the cells; false when one of its units is no single ASCII cell each. */
function fillRow(screen: DrawingScreen, row: FrameRow, y: number, colour: boolean): boolean {
  const columns = Number(screen.width);
  const fill = (style: CellStyle, text: string, from: number, to: number): void =>
    screen.fillRegion(attributeOf(style, colour) as never, text, from, to, y, y + 1);
  let x = 0;
  let plain = true;
  for (const { units, style } of row)
    for (const { text, width } of units) {
      if (x + width > columns) break;
      if (/^[ -~]*$/.test(text))
        [...text].forEach((character, at) => fill(style, character, x + at, x + at + 1));
      else {
        plain = false;
        fill(style, text, x, x + 1);
        fill(style, '', x + 1, x + width);
      }
      x += width;
    }
  fill('plain', ' ', x, columns);
  return plain;
}

/** A terminal may count a character's columns otherwise than we do: such a row is wiped and written from its start. */
function redrawWhole(screen: DrawingScreen, y: number): void {
  screen.program.cursorPos(y, 0);
  screen.program.eraseInLine('right');
  for (const cell of screen.olines[y] ?? []) cell[1] = '\u0000';
}

function attributeOf(style: CellStyle, colour: boolean): number {
  const flags = { plain: 0, strong: BOLD, danger: colour ? 0 : BOLD, chosen: INVERSE }[style];
  const foreground = style === 'danger' && colour ? RED : DEFAULT_COLOUR;
  return (flags << 18) | (foreground << 9) | DEFAULT_COLOUR;
}
