// The window: what waits from any number of consoles, one screen chosen and read, one line answered. Opened by
// window-human.ts for one console and by lox for many. What counts as an answer is lockkit's guard and nothing else; an
// answer is bound to the id that was on the screen. Must never echo a secret, and must leave the terminal as it was.
import {
  APPEARANCE_GUARD_MS,
  CHANGE_GUARD_MS,
  LineEditor,
  parseAnswer,
  type Answer,
  type Clock,
  type CommandHandler,
  type Line,
  type MoveKey,
} from 'lockkit/approval';
import { BesideFeed } from './beside-feed.js';
import { CommandDesk, WINDOW_SOURCE, type WindowCommand } from './command-desk.js';
import { helpScreen } from './help-screen.js';
import { MESSAGES, whichMessage, type Message } from './messages.js';
import { News } from './news.js';
import { Picture } from './picture.js';
import { SourceBook } from './source-book.js';
import type { WindowSource } from './source-line.js';
import { openSurface, type Surface, type WindowOptions } from './surface.js';
import { WaitingList, type Waiting } from './waiting-list.js';

export type AskedItem = Omit<Waiting, 'sinceMs' | 'settle'>;

const READ_TURN_MS = 1;
const TICK_MS = 1000;
const MAX_PAGES = 16;
/** What a command shows so soon after it was typed is its answer. */
const CALLED_MS = 3000;
const NEVER = Number.POSITIVE_INFINITY;

/** `reading`: the chosen question or page. `over`: it was taken back, Enter goes on. `idle`: nothing is chosen. */
type Mode = 'idle' | 'reading' | 'over';

export class Window {
  readonly #clock: Clock;
  readonly #surface: Surface;
  readonly #editor: LineEditor;
  readonly #picture: Picture;
  readonly #leaving = new AbortController();
  /** The human left: the terminal hung up, or `:quit` without a handler. */
  readonly gone: AbortSignal = this.#leaving.signal;
  readonly #list = new WaitingList();
  readonly #sources = new SourceBook();
  readonly #commands = new CommandDesk();
  readonly #news: News;
  readonly #feed: BesideFeed;
  #mode: Mode = 'idle';
  #changedAtMs = Number.NEGATIVE_INFINITY;
  /** Whose command the human typed a moment ago: what it asks or shows next is chosen at once. */
  #called: { readonly source: string; readonly atMs: number } | undefined;
  #stopTick: () => void = () => undefined;

  constructor(options: WindowOptions) {
    const { clock } = options;
    this.#clock = clock;
    this.#surface = openSurface(options, {
      onBytes: (bytes) => this.#editor.push(bytes),
      onResize: () => this.#resized(),
      onGone: () => this.#leave(),
    });
    this.#picture = new Picture(this.#surface.canvas, clock, options.name);
    this.#news = new News(options.now);
    this.#editor = new LineEditor(clock, this.#surface.silent, {
      onLine: (line) => this.#takeLine(line),
      onSpoiled: () => this.#refuseLine(),
      onInterrupt: () => this.#runCommand(':quit'),
      onResults: () => this.#runCommand(':results'),
      onMove: (key) => this.#move(key),
      onEdit: () => this.#draw(),
    });
    this.#feed = new BesideFeed({
      clock,
      isAsking: () => this.#mode === 'reading',
      isTyping: () => this.#editor.isTyping(),
      apply: () => this.#applyBeside(),
    });
    this.#applyBeside();
    this.#tick();
  }

  /** Gives the terminal back, at once. */
  readonly restore = (): void => this.#surface.restore();

  /** The question waits from now on; `settle` gets the human's answer, or `withdrawn` when the window closes. */
  ask(item: AskedItem, settle: (answer: Answer) => void): void {
    if (this.gone.aborted) return settle({ kind: 'withdrawn' });
    this.#add({ ...item, settle });
    this.#surface.ring();
  }

  /** A screen to be read; Enter closes it. Of each console the newest few stay. */
  show(item: AskedItem): void {
    if (this.gone.aborted) return;
    const pages = this.#list.pagesOf(item.source);
    if (pages.length >= MAX_PAGES && pages[0]) this.withdraw(pages[0].id, 'this page is too old');
    this.#add(item);
  }

  /** The question or page is no more. What was on the screen stays there until Enter, with the reason. */
  withdraw(id: string, why: string): void {
    const wasChosen = this.#list.chosen?.id === id;
    if (this.#list.remove(id) === undefined) return;
    if (!wasChosen) return this.#feed.changed();
    this.#mode = 'over';
    this.#editor.begin(APPEARANCE_GUARD_MS);
    this.#say({ line: [`▲ ${why}: press Enter to go on`], danger: true });
  }

  note(source: string, line: Line): void {
    this.#news.add(this.#sources.label(source, line));
    this.#feed.changed();
  }

  setSource(source: WindowSource): void {
    if (this.#sources.set(source)) this.#feed.changed();
    else this.#picture.setSources(this.#sources.all());
  }

  /** The console is gone, and what it asked with it. */
  removeSource(id: string, why: string): void {
    this.#sources.remove(id);
    for (const { id: asked, source, settle } of this.#list.all()) {
      if (source !== id) continue;
      this.withdraw(asked, why);
      settle?.({ kind: 'withdrawn' });
    }
    this.#feed.changed();
  }

  onCommand(source: string, name: WindowCommand, handler: CommandHandler): () => void {
    return this.#commands.add(source, name, handler);
  }

  close(): void {
    this.#leave();
    this.#stopTick();
    this.#feed.stop();
    this.#editor.begin(NEVER);
    this.restore();
  }

  #add(item: Omit<Waiting, 'sinceMs'>): void {
    const nowMs = this.#clock.nowMs();
    this.#list.add({ ...item, sinceMs: nowMs });
    const called = this.#called;
    if (called?.source === item.source && nowMs - called.atMs < CALLED_MS) return this.#choose(item.id);
    if (this.#mode === 'idle' && !this.#editor.isTyping()) return this.#choose(this.#list.first()?.id);
    this.#feed.changed();
  }

  #choose(id: string | undefined): void {
    this.#called = undefined;
    this.#list.choose(id);
    const item = this.#list.chosen;
    this.#mode = item === undefined ? 'idle' : 'reading';
    this.#picture.choose(item);
    this.#feed.reset();
    this.#takeBeside();
    this.#begin(item === undefined ? 0 : NEVER);
    this.#draw();
    // What the system holds already was typed before this could be read.
    this.#clock.after(READ_TURN_MS, () => {
      if (item === undefined || this.#list.chosen !== item || this.#mode !== 'reading') return;
      const sinceChangeMs = this.#clock.nowMs() - this.#changedAtMs;
      this.#editor.open(Math.max(APPEARANCE_GUARD_MS, CHANGE_GUARD_MS - sinceChangeMs));
    });
  }

  #begin(guardMs: number): void {
    this.#editor.begin(guardMs, this.#list.chosen?.screen.question?.kind === 'secret');
  }

  #end(item: Waiting): void {
    this.#list.remove(item.id);
    this.#next();
  }

  /** What was on the screen is no longer: the next thing needs a second before it can be answered. */
  #next(): void {
    this.#changedAtMs = this.#clock.nowMs();
    this.#choose(this.#list.first()?.id);
  }

  #takeLine(line: Uint8Array): void {
    const item = this.#list.chosen;
    if (this.#mode === 'over') return this.#next();
    this.#useLine(item, line);
    // The same question is still up: its next line is guarded as its first was.
    if (item === undefined || this.#list.chosen !== item) return;
    this.#begin(NEVER);
    this.#editor.open(APPEARANCE_GUARD_MS);
  }

  #useLine(item: Waiting | undefined, line: Uint8Array): void {
    const question = item?.screen.question;
    const text = question?.kind === 'secret' ? '' : new TextDecoder().decode(line).trim();
    if (/^[:?]/u.test(text)) this.#runCommand(text);
    else if (item !== undefined && question !== undefined)
      this.#takeAnswer(item, parseAnswer(question, line));
    else if (item !== undefined) this.#end(item);
    else if (text !== '') this.#say(MESSAGES.unknown);
    else this.#next();
  }

  #takeAnswer(item: Waiting, answer: Answer): void {
    const { obstacle } = this.#picture;
    if (answer.kind !== 'no' && obstacle !== undefined) return this.#say(obstacle);
    this.#end(item);
    item.settle?.(answer);
  }

  #refuseLine(): void {
    if (this.#mode === 'reading') this.#editor.hold(APPEARANCE_GUARD_MS);
    if (this.#mode !== 'over') this.#say(MESSAGES.spoiled);
  }

  #say(message: Message): void {
    this.#picture.message = message;
    this.#draw();
  }

  #runCommand(text: string): void {
    const found = this.#commands.find(text, this.#sources.nameOf);
    const source = found.kind === 'run' ? found.source : WINDOW_SOURCE;
    this.#called = { source, atMs: this.#clock.nowMs() };
    if (found.kind === 'run') void found.handler(found.argument);
    else if (found.kind === 'help') this.#help();
    else if (text === ':quit') this.#leave();
    else if (found.kind === 'unknown') this.#say(MESSAGES.unknown);
    else this.#say(whichMessage(found.names));
  }

  #help(): void {
    const id = 'help';
    this.#list.remove(id);
    this.#add({ id, source: WINDOW_SOURCE, screen: helpScreen(this.#commands.names()), about: {} });
  }

  #move(key: MoveKey): void {
    if (key === 'page_up' || key === 'page_down') return this.#scroll(key === 'page_up' ? -1 : 1);
    const item = this.#mode === 'over' ? this.#list.first() : this.#list.neighbour(key === 'up' ? -1 : 1);
    if (item === undefined) return;
    this.#changedAtMs = this.#clock.nowMs();
    this.#choose(item.id);
  }

  #scroll(pages: 1 | -1): void {
    if (!this.#picture.scroll(pages)) return;
    this.#editor.hold(APPEARANCE_GUARD_MS);
    this.#draw();
  }

  #applyBeside(): void {
    const free = this.#mode === 'idle' && !this.#editor.isTyping();
    if (free && this.#list.size > 0) return this.#choose(this.#list.first()?.id);
    this.#takeBeside();
    this.#changedAtMs = this.#clock.nowMs();
    if (this.#mode === 'reading') this.#editor.hold(CHANGE_GUARD_MS);
    this.#draw();
  }

  #takeBeside(): void {
    this.#picture.takeBeside(this.#list, this.#sources.all(), this.#news);
  }

  /** Another size is another screen: it is drawn anew, and read anew. */
  #resized(): void {
    this.#changedAtMs = this.#clock.nowMs();
    if (this.#mode === 'over') this.#draw();
    else this.#choose(this.#list.chosen?.id);
  }

  #tick(): void {
    this.#stopTick = this.#clock.after(TICK_MS, () => {
      if (!this.#editor.isTyping()) this.#draw();
      this.#tick();
    });
  }

  #draw(): void {
    if (!this.gone.aborted) this.#picture.draw(this.#editor.shown());
  }

  #leave(): void {
    if (this.gone.aborted) return;
    this.#leaving.abort();
    const left = this.#list.all();
    for (const { id } of left) this.#list.remove(id);
    for (const { settle } of left) settle?.({ kind: 'withdrawn' });
  }
}
