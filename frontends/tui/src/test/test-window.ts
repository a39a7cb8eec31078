// A window for tests: a clock that the test moves, bytes that the test types, and the last frame as text. Everything else
// is the real window.
import { PassThrough } from 'node:stream';
import type { Answer, Question, Screen } from 'lockkit/approval';
import type { Frame, FrameRow, WindowSize } from '../window/frame.js';
import { Window } from '../window/window.js';
import { HandClock } from './hand-clock.js';

export interface TestWindow {
  readonly window: Window;
  readonly clock: HandClock;
  /** Types bytes now; they are read before this resolves. */
  readonly type: (text: string) => Promise<void>;
  /** Past every guard of what is shown. */
  readonly settle: () => void;
  /** Types a line as a person does, and lets its silence pass. */
  readonly line: (text: string) => Promise<void>;
  readonly text: () => string;
  readonly rows: () => readonly string[];
  readonly cursor: () => Frame['cursor'];
  readonly rings: () => number;
  readonly draws: () => number;
  readonly resize: (size: WindowSize) => void;
  readonly answers: Record<string, Answer>;
  readonly ask: (id: string, screen?: Screen, source?: string) => void;
}

export function screenOf(title: string, question?: Question, lines = 1): Screen {
  return {
    title: [title],
    origin: [],
    sections: [{ kind: 'lines', lines: Array.from({ length: lines }, (_, i) => [`line ${i}`]) }],
    warnings: [],
    ...(question === undefined ? {} : { question }),
  };
}

export const yesNo: Question = { kind: 'yes_no' };

/** What was written to a stream has been read. */
export function readEverything(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}

export function openTestWindow(size: WindowSize = { columns: 80, rows: 24 }): TestWindow {
  const clock = new HandClock();
  const [input, output] = [new PassThrough(), new PassThrough()];
  let now = size;
  let [frame, rings, draws]: [Frame, number, number] = [{ rows: [], cursor: null }, 0, 0];
  const canvas = {
    size: () => now,
    draw: (next: Frame) => {
      frame = next;
      draws += 1;
    },
    ring: () => void (rings += 1),
    restore: () => undefined,
  };
  output.resume();
  const openCanvas = (): typeof canvas => canvas;
  const window = new Window({
    input,
    output,
    clock,
    colour: false,
    name: 'test',
    now: () => new Date(0),
    openCanvas,
  });
  const answers: Record<string, Answer> = {};
  const rows = (): readonly string[] => frame.rows.map(textOf);
  const type = async (text: string): Promise<void> => {
    input.write(Buffer.from(text, 'latin1'));
    await readEverything();
  };
  const settle = (): void => clock.forward(1200);
  return {
    window,
    clock,
    type,
    settle,
    line: async (text) => {
      settle();
      await type(text);
      clock.forward(50);
      await type('\r');
      clock.forward(500);
    },
    text: () => rows().join('\n'),
    rows,
    cursor: () => frame.cursor,
    rings: () => rings,
    draws: () => draws,
    resize: (next) => {
      now = next;
      output.emit('resize');
      clock.forward(0);
    },
    answers,
    ask: (id, screen = screenOf(id, yesNo), source = 'a') =>
      window.ask({ id, source, screen, about: { ticket: id } }, (answer) => void (answers[id] = answer)),
  };
}

function textOf(row: FrameRow): string {
  return row.flatMap(({ units }) => units.map(({ text }) => text)).join('');
}
