// The terminal itself: raw mode, bracketed paste, writing, and giving it back as it was. Called by terminal-human.ts.
// Nothing may leave it raw: whoever ends the process calls restore, and so does the end of the process itself.
import type { Readable, Writable } from 'node:stream';

export interface Clock {
  /** Monotonic milliseconds. */
  readonly nowMs: () => number;
  /** Calls `run` once after `delayMs`; the returned function cancels it. */
  readonly after: (delayMs: number, run: () => void) => () => void;
}

export interface TerminalStreams {
  /** A tty (then read raw) or a pipe (then read as it comes, without echo). */
  readonly input: Readable & { isTTY?: boolean; setRawMode?: (raw: boolean) => unknown };
  readonly output: Writable & { isTTY?: boolean; columns?: number; rows?: number };
}

export interface Terminal {
  readonly isTty: boolean;
  readonly columns: () => number;
  readonly rows: () => number;
  /** Resolves when the text was handed to the system; never rejects, a lost terminal is told by onGone. */
  readonly write: (text: string) => Promise<void>;
  /** The newline that is missing when the cursor stands behind other text, else nothing. */
  readonly freshLine: () => string;
  /** Gives the terminal back as it was. Synchronous, may be called at any time and twice. */
  readonly restore: () => void;
}

export interface TerminalEvents {
  readonly onBytes: (bytes: Uint8Array) => void;
  readonly onResize: () => void;
  readonly onGone: () => void;
}

const PASTE_MODE_ON = '\u001b[?2004h';
const PASTE_MODE_OFF = '\u001b[?2004l';
const DEFAULT_COLUMNS = 80;

export function openTerminal(streams: TerminalStreams, events: TerminalEvents): Terminal {
  const { input, output } = streams;
  const isTty = input.isTTY === true && output.isTTY === true && input.setRawMode !== undefined;
  if (isTty) {
    input.setRawMode?.(true);
    output.write(PASTE_MODE_ON);
  }
  const restore = listen(streams, events, () => {
    if (!isTty) return;
    output.write(PASTE_MODE_OFF);
    input.setRawMode?.(false);
  });
  let last = '\n';
  return {
    isTty,
    columns: () => output.columns ?? DEFAULT_COLUMNS,
    rows: () => (isTty ? (output.rows ?? 0) : 0),
    write: (text) => {
      last = text.at(-1) ?? last;
      return writeText(output, text);
    },
    freshLine: () => (last === '\n' ? '' : '\n'),
    restore,
  };
}

function listen(
  { input, output }: TerminalStreams,
  events: TerminalEvents,
  giveBack: () => void,
): () => void {
  const gone = (): void => events.onGone();
  const ends = [
    [input, 'end'],
    [input, 'close'],
    [input, 'error'],
    [output, 'close'],
    [output, 'error'],
  ] as const;
  let restored = false;
  const restore = (): void => {
    if (restored) return;
    restored = true;
    process.off('exit', restore);
    input.off('data', events.onBytes);
    output.off('resize', events.onResize);
    giveBack();
    input.pause();
  };
  for (const [stream, name] of ends) stream.on(name, gone);
  process.once('exit', restore);
  output.on('resize', events.onResize);
  input.on('data', events.onBytes);
  return restore;
}

function writeText(output: Writable, text: string): Promise<void> {
  return new Promise((resolve) => {
    output.write(text, () => resolve());
  });
}

/** The clock of this process: monotonic, not moved by changes of the date. */
export const processClock: Clock = {
  nowMs: () => performance.now(),
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};
