// The window as rows, from data alone: heading, consoles, what waits, the chosen screen, the last news, the answer line.
// Pure; called by window.ts at every change. A screen's rows are never cut here; lists are, with a sign.
import { makeVisible, type LaidRow, type Line } from 'lockkit/approval';
import { clipRow, piece, widthOf, type Frame, type FrameRow, type WindowSize } from './frame.js';
import { planRows, SMALLEST, type RowPlan } from './plan-rows.js';
import { renderSource, type WindowSource } from './source-line.js';
import { renderSpan } from './span.js';
import { isQuestion, type Waiting } from './waiting-list.js';

/** What stands beside the chosen screen; it changes in batches (window.ts). */
export interface Beside {
  readonly sources: readonly WindowSource[];
  readonly waiting: readonly Waiting[];
  readonly before: number;
  readonly size: number;
  readonly questions: number;
  readonly news: readonly Line[];
}

export interface WindowView {
  readonly name: string;
  readonly beside: Beside;
  readonly chosen: string | undefined;
  /** The rows of the chosen screen that are in sight. */
  readonly screen: readonly LaidRow[];
  readonly message: { readonly line: Line; readonly danger: boolean };
  /** Whose answer is typed: the chosen screen's title and ticket, or nothing. */
  readonly answer: { readonly title: Line; readonly ticket: string; readonly typed: string } | null;
  readonly nowMs: number;
}

/** Columns left free at the right edge, where terminals differ about wrapping. */
const MARGIN = 1;

export function screenColumns(size: WindowSize): number {
  return size.columns - MARGIN;
}

export function planOf(size: WindowSize, { sources, waiting, news }: Beside): RowPlan | null {
  return planRows(size, { sources: sources.length, waiting: waiting.length, news: news.length });
}

export function drawWindow(view: WindowView, size: WindowSize): Frame {
  const plan = planOf(size, view.beside);
  if (plan === null) return drawTooSmall(size);
  const columns = screenColumns(size);
  const { beside } = view;
  const listed = [
    heading(view, plan),
    ...beside.sources.slice(0, plan.sources).map((source) => [piece(renderSource(source, view.nowMs))]),
    ...(plan.waiting === 0 ? [] : waitingRows(view, plan.waiting)),
  ];
  const news =
    plan.news === 0 ? [] : [rule('last'), ...beside.news.slice(-plan.news).map((line) => [piece(line)])];
  const message = [piece(view.message.line, view.message.danger ? 'danger' : 'plain')];
  const answer = answerRow(view, columns);
  const rows = [
    ...listed.map((row) => clipRow(row, columns)),
    ...padded(view.screen.map(screenRow), plan.screen),
    ...[...news, message].map((row) => clipRow(row, columns)),
    answer ?? [],
  ];
  return { rows, cursor: answer === null ? null : { row: rows.length - 1, column: widthOf(answer) } };
}

function drawTooSmall({ rows, columns }: WindowSize): Frame {
  const text = `too small: at least ${SMALLEST.columns} columns and ${SMALLEST.rows} rows. No answer is taken.`;
  return { rows: padded([clipRow([piece([text], 'danger')], columns)], rows), cursor: null };
}

function heading({ name, beside, nowMs }: WindowView, plan: RowPlan): FrameRow {
  const waits = beside.questions === 0 ? 'nothing waits' : `${beside.questions} waiting`;
  const [only] = beside.sources;
  const alone = beside.sources.length === 1 && only !== undefined && plan.sources === 0;
  const state: Line = alone
    ? [' · ', ...renderSource(only, nowMs)]
    : [` · ${beside.sources.length} consoles`];
  return [piece([name, ' · ', waits, ...state], 'strong')];
}

function rule(title: string): FrameRow {
  return [piece([`── ${title} ──`])];
}

/** The rows around the chosen one, when there is room for fewer than are at hand. */
function waitingRows({ beside, chosen, nowMs }: WindowView, count: number): readonly FrameRow[] {
  const { waiting, before, size } = beside;
  const at = waiting.findIndex(({ id }) => id === chosen);
  const start = Math.max(0, Math.min(at - Math.floor(count / 2), waiting.length - count));
  const items = waiting.slice(start, start + count);
  const first = before + start + 1;
  const title =
    items.length === size ? 'waiting' : `waiting, ${first} to ${first + items.length - 1} of ${size}`;
  return [rule(title), ...items.map((item) => waitingRow(item, item.id === chosen, nowMs))];
}

function waitingRow(item: Waiting, chosen: boolean, nowMs: number): FrameRow {
  const { ticket = '', kind = '', risk = '' } = item.about;
  const age = isQuestion(item) ? renderSpan((nowMs - item.sinceMs) / 1000) : 'page';
  const columns = [age.padStart(6), risk.padEnd(10), kind.padEnd(7), ticket].join('  ');
  return [piece([chosen ? '▸' : ' ', columns, '  ', ...item.screen.title], chosen ? 'chosen' : 'plain')];
}

function screenRow({ frame, units, style }: LaidRow): FrameRow {
  return [piece([frame]), { units, style }];
}

function padded(rows: readonly FrameRow[], count: number): readonly FrameRow[] {
  return [...rows, ...Array.from({ length: Math.max(0, count - rows.length) }, () => [])];
}

/** The end of what is typed, when it is too long for the row. What is ours stands between the title and it. */
function answerRow({ answer }: WindowView, columns: number): FrameRow | null {
  if (answer === null) return null;
  const title = clipRow([piece(answer.title, 'strong')], Math.floor(columns / 3));
  const ticket = answer.ticket === '' ? '' : ` ${answer.ticket}`;
  const ours = answer.title.length === 0 ? '> ' : `${ticket} > `;
  const label = [...title, piece([ours], 'strong')];
  const units = [...makeVisible(answer.typed, 'static').units];
  const room = columns - widthOf(label) - 1;
  while (widthOf([{ units, style: 'plain' }]) > room) units.shift();
  return [...label, { units, style: 'plain' }];
}
