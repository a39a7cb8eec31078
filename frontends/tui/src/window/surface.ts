// The terminal of the window, both ways: bytes in, cells out, the bell, and giving it back. Opened by window.ts.
// Keys are read by lockkit's terminal alone; what is drawn goes through the canvas alone.
import { openTerminal, type Clock, type Terminal, type TerminalStreams } from 'lockkit/approval';
import { openBlessedCanvas, type Canvas, type TerminalOutput } from './blessed-canvas.js';

export interface WindowOptions extends TerminalStreams {
  readonly clock: Clock;
  /** False under NO_COLOR and on terminals without colours. */
  readonly colour: boolean;
  /** Stands first in the heading: `lox`, `lockssh`. */
  readonly name: string;
  /** Wall clock, for the times beside the news. */
  readonly now: () => Date;
  /** What is drawn on; without it, the terminal through blessed. */
  readonly openCanvas?: (output: TerminalOutput, colour: boolean) => Canvas;
}

export interface SurfaceEvents {
  readonly onBytes: (bytes: Uint8Array) => void;
  readonly onResize: () => void;
  readonly onGone: () => void;
}

export interface Surface {
  readonly canvas: Canvas;
  /** For the line editor: it writes nothing, the window draws what is typed. */
  readonly silent: Terminal;
  /** Rings once for tickets that come together. */
  readonly ring: () => void;
  readonly restore: () => void;
}

const RING_MS = 1000;

export function openSurface(options: Omit<WindowOptions, 'name' | 'now'>, events: SurfaceEvents): Surface {
  const { clock, output, colour, openCanvas = openBlessedCanvas } = options;
  // The canvas learns of a new size first.
  const onResize = (): void => void clock.after(0, events.onResize);
  const terminal = openTerminal(options, { ...events, onResize });
  const canvas = openCanvas(output, colour);
  const restore = (): void => {
    process.off('exit', restore);
    canvas.restore();
    terminal.restore();
  };
  process.once('exit', restore);
  let rungAtMs = Number.NEGATIVE_INFINITY;
  return {
    canvas,
    silent: { ...terminal, isTty: false, write: () => Promise.resolve() },
    ring: () => {
      if (clock.nowMs() - rungAtMs < RING_MS) return;
      rungAtMs = clock.nowMs();
      canvas.ring();
    },
    restore,
  };
}
