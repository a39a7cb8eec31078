// What the window shows now: the chosen screen, what stands beside it, the message, all drawn on the canvas. Used by
// window.ts, which decides what is chosen; nothing here takes an answer.
import { layOutRows, type Clock, type LaidRow } from 'lockkit/approval';
import type { Canvas } from './blessed-canvas.js';
import { drawWindow, planOf, screenColumns, type Beside } from './draw-window.js';
import type { WindowSize } from './frame.js';
import { MESSAGES, type Message } from './messages.js';
import { ShownScreen } from './shown-screen.js';
import type { News } from './news.js';
import type { WindowSource } from './source-line.js';
import type { Waiting, WaitingList } from './waiting-list.js';

/** More than any window has rows for. */
const LISTED = 64;

const NOTHING: Beside = { sources: [], waiting: [], before: 0, size: 0, questions: 0, news: [] };

export class Picture {
  readonly #canvas: Canvas;
  readonly #clock: Clock;
  readonly #name: string;
  #item: Waiting | undefined;
  #shown: ShownScreen | undefined;
  #beside: Beside = NOTHING;
  message: Message = MESSAGES.idle;

  constructor(canvas: Canvas, clock: Clock, name: string) {
    this.#canvas = canvas;
    this.#clock = clock;
    this.#name = name;
  }

  /** Another screen, from its start; what was read of it before does not count. */
  choose(item: Waiting | undefined): void {
    this.#item = item;
    this.#shown = item && new ShownScreen(item.screen);
    this.message = MESSAGES[item === undefined ? 'idle' : (item.screen.question?.kind ?? 'page')];
  }

  /** The lists as they are now; they stay so on the screen until this is called again. */
  takeBeside(list: WaitingList, sources: readonly WindowSource[], news: News): void {
    const { before, items: waiting } = list.around(LISTED);
    const { size, questions } = list;
    this.#beside = { sources, waiting, before, size, questions, news: news.last(LISTED) };
  }

  /** New times of the same sessions. */
  setSources(sources: readonly WindowSource[]): void {
    this.#beside = { ...this.#beside, sources };
  }

  /** Why the chosen screen cannot be approved as it stands; undefined: it was shown whole and to its end. */
  get obstacle(): Message | undefined {
    const shown = this.#shown;
    if (shown === undefined || !shown.approvable) return MESSAGES.hidden;
    return shown.unread > 0 ? MESSAGES.unread : undefined;
  }

  /** false when nothing moved. */
  scroll(pages: 1 | -1): boolean {
    const height = planOf(this.#canvas.size(), this.#beside)?.screen ?? 0;
    return this.#shown?.scroll(pages * Math.max(1, height - 1), height) ?? false;
  }

  draw(typed: string): void {
    const size = this.#canvas.size();
    // Where nothing is chosen the news has the room of a screen, and is not cut.
    const beside = this.#shown === undefined ? { ...this.#beside, news: [] } : this.#beside;
    const plan = planOf(size, beside);
    this.#shown?.layOut(screenColumns(size));
    const view = {
      name: this.#name,
      beside,
      chosen: this.#item?.id,
      screen: plan === null ? [] : (this.#shown?.look(plan.screen) ?? this.#newsRows(size, plan.screen)),
      message: this.#unreadMessage() ?? this.message,
      answer: { title: this.#item?.screen.title ?? [], ticket: this.#item?.about.ticket ?? '', typed },
      nowMs: this.#clock.nowMs(),
    };
    this.#canvas.draw(drawWindow(view, size));
  }

  #newsRows(size: WindowSize, height: number): readonly LaidRow[] {
    const { news } = this.#beside;
    if (news.length === 0) return [];
    const sections = [{ kind: 'lines' as const, lines: news }];
    const screen = { title: ['last'], origin: [], sections, warnings: [] };
    const [title, ...rows] = layOutRows(screen, screenColumns(size)).rows;
    const end = rows.pop();
    const kept = rows.slice(-Math.max(1, height - 2));
    return [title, ...kept, end].flatMap((row) => row ?? []).slice(0, height);
  }

  #unreadMessage(): Message | undefined {
    const unread = this.#shown?.unread ?? 0;
    if (unread === 0 || this.message.danger) return undefined;
    const then = this.#item?.screen.question === undefined ? '' : ', then answer';
    return { line: [`▼ ${unread} more rows below: read them with PgDn${then}`], danger: true };
  }
}
