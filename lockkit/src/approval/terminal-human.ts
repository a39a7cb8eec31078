// The human at the console's own terminal. One question at a time, the rest waits; nothing that was not typed after the
// question could be read is an answer (answer-guard.ts). Opened by the console's composition root; the lock types see
// only Human. Must never echo a secret, and must leave the terminal as it was.
import { APPEARANCE_GUARD_MS, CHANGE_GUARD_MS } from './answer-guard.js';
import {
  DEFAULT_ANSWER_TIMEOUT_MS,
  type AskOptions,
  type CommandHandler,
  type CommandName,
  type Human,
} from './human.js';
import type { Line } from './line.js';
import { LineEditor } from './line-editor.js';
import { prepareScreen } from './prepare-screen.js';
import { parseAnswer, type Answer } from './question.js';
import { renderLine } from './render-text.js';
import type { Screen } from './screen.js';
import { openTerminal, type Clock, type Terminal, type TerminalStreams } from './terminal.js';
import { visibleText } from './visible.js';

export interface TerminalHumanOptions extends TerminalStreams {
  readonly clock: Clock;
  /** False under NO_COLOR. */
  readonly colour: boolean;
}

interface Asked {
  readonly kind: 'ask';
  readonly screen: Screen;
  readonly settle: (answer: Answer) => void;
}
interface Shown {
  readonly kind: 'show';
  readonly write: () => Promise<void>;
}

const READ_TURN_MS = 1;
/** An agent can cause notes while a question is up; what comes beyond this is counted only. */
const MAX_WAITING_NOTES = 100;

/** `idle`: a line is a command. `asking`: it is an answer. `withdrawn`: only Enter, then the next is shown. */
type Mode =
  | { readonly kind: 'idle' | 'withdrawn' }
  | { readonly kind: 'asking'; readonly asked: Asked; readonly approvable: boolean };

/** A Human on this terminal, and `restore` for whoever must give the terminal back at once (a signal handler). */
export function openTerminalHuman(options: TerminalHumanOptions): Human & { readonly restore: () => void } {
  return new TerminalHuman(options);
}

class TerminalHuman implements Human {
  private readonly options: TerminalHumanOptions;
  private readonly terminal: Terminal;
  private readonly editor: LineEditor;
  private readonly leaving = new AbortController();
  private readonly commands = new Map<CommandName, CommandHandler>();
  private waiting: (Asked | Shown)[] = [];
  private mode: Mode = { kind: 'idle' };
  private busy = false;
  private unshownNotes = 0;
  private changedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: TerminalHumanOptions) {
    this.options = options;
    this.terminal = openTerminal(options, {
      onBytes: (bytes) => this.editor.push(bytes),
      onResize: () => this.redraw(),
      onGone: () => this.leave(),
    });
    this.editor = new LineEditor(options.clock, this.terminal, {
      onLine: (line) => this.takeLine(line),
      onSpoiled: () => this.refuseLine(),
      onInterrupt: () => this.runCommand(':quit', ''),
      onResults: () => (this.mode.kind === 'idle' ? this.runCommand(':results', '') : undefined),
    });
  }

  get gone(): AbortSignal {
    return this.leaving.signal;
  }

  restore(): void {
    this.terminal.restore();
  }

  show(screen: Screen): Promise<void> {
    return this.enqueueShown(() => this.print(this.layOut(screen).text));
  }

  note(line: Line): void {
    const waiting = this.waiting.filter((job) => job.kind === 'show').length;
    if (waiting < MAX_WAITING_NOTES) void this.enqueueShown(() => this.print(renderLine(line)));
    else this.unshownNotes += 1;
  }

  ask(screen: Screen, options: AskOptions = {}): Promise<Answer> {
    if (screen.question === undefined) throw new Error('a screen without a question was asked');
    return new Promise((resolve) => this.enqueueAsked(screen, options, resolve));
  }

  onCommand(name: CommandName, handler: CommandHandler): () => void {
    this.commands.set(name, handler);
    return () => {
      if (this.commands.get(name) === handler) this.commands.delete(name);
    };
  }

  close(): Promise<void> {
    this.leave();
    this.terminal.restore();
    return Promise.resolve();
  }

  private enqueueShown(write: () => Promise<void>): Promise<void> {
    if (this.gone.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      this.waiting.push({ kind: 'show', write: () => write().then(resolve) });
      this.advance();
    });
  }

  private enqueueAsked(screen: Screen, options: AskOptions, resolve: (answer: Answer) => void): void {
    if (this.gone.aborted || options.signal?.aborted === true) return resolve({ kind: 'withdrawn' });
    const withdraw = (): void => this.withdraw(asked, { kind: 'withdrawn' });
    const expire = (): void => this.withdraw(asked, { kind: 'no_answer' });
    const cancel = this.options.clock.after(options.timeoutMs ?? DEFAULT_ANSWER_TIMEOUT_MS, expire);
    const asked: Asked = {
      kind: 'ask',
      screen,
      settle: (answer) => {
        cancel();
        options.signal?.removeEventListener('abort', withdraw);
        resolve(answer);
      },
    };
    options.signal?.addEventListener('abort', withdraw, { once: true });
    this.waiting.push(asked);
    this.advance();
  }

  /** Writes and asks what waits, one after the other, until a question is up. */
  private advance(): void {
    if (this.busy || this.mode.kind !== 'idle') return;
    const next = this.waiting.shift();
    if (next === undefined) return;
    void this.hold(() => (next.kind === 'show' ? next.write() : this.pose(next)));
  }

  /** Nothing else is written until this step is done. */
  private async hold(step: () => Promise<void>): Promise<void> {
    this.busy = true;
    await step();
    this.busy = false;
    this.advance();
  }

  private async pose(asked: Asked): Promise<void> {
    const shown = this.layOut(asked.screen);
    this.mode = { kind: 'asking', asked, approvable: shown.approvable };
    this.editor.begin(Number.POSITIVE_INFINITY, asked.screen.question?.kind === 'secret');
    await this.terminal.write(`${this.terminal.freshLine()}${shown.text} `);
    await new Promise<void>((resolve) => this.options.clock.after(READ_TURN_MS, resolve));
    if (this.mode.kind !== 'asking' || this.mode.asked !== asked) return;
    const sinceChangeMs = this.options.clock.nowMs() - this.changedAtMs;
    this.editor.open(Math.max(APPEARANCE_GUARD_MS, CHANGE_GUARD_MS - sinceChangeMs));
  }

  private layOut(screen: Screen): { text: string; approvable: boolean } {
    return prepareScreen(screen, {
      columns: this.terminal.columns(),
      windowRows: this.terminal.rows(),
      colour: this.options.colour,
      waiting: this.waiting.filter((job) => job.kind === 'ask').length,
    });
  }

  private async print(text: string): Promise<void> {
    const unshown =
      this.unshownNotes > 0 ? `\n(${this.unshownNotes} more lines are only in the audit log)` : '';
    this.unshownNotes = 0;
    await this.terminal.write(`${this.terminal.freshLine()}${text}${unshown}\n`);
    this.changedAtMs = this.options.clock.nowMs();
  }

  /** Another width is another screen: it is written anew, and read anew. */
  private redraw(): void {
    if (this.mode.kind !== 'asking' || this.busy) return;
    const { asked } = this.mode;
    this.changedAtMs = this.options.clock.nowMs();
    void this.hold(() => this.pose(asked));
  }

  private takeLine(line: Uint8Array): void {
    if (this.mode.kind === 'idle') return this.takeCommand(line);
    if (this.mode.kind === 'asking') return this.takeAnswer(this.mode, line);
    this.endMode();
  }

  private takeAnswer(mode: Mode & { kind: 'asking' }, line: Uint8Array): void {
    const { question } = mode.asked.screen;
    const answer: Answer = question === undefined ? { kind: 'no' } : parseAnswer(question, line);
    this.endMode();
    mode.asked.settle(mode.approvable || answer.kind === 'no' ? answer : { kind: 'no' });
  }

  private endMode(): void {
    this.mode = { kind: 'idle' };
    this.changedAtMs = this.options.clock.nowMs();
    this.editor.begin(0);
    this.advance();
  }

  private refuseLine(): void {
    const again = this.mode.kind === 'asking' ? 'type the answer again: ' : 'type it again: ';
    const fresh = this.terminal.freshLine();
    void this.terminal.write(
      `${fresh}  that did not count (too early, pasted, or among other keys); ${again}`,
    );
    if (this.mode.kind === 'asking') this.editor.open(APPEARANCE_GUARD_MS);
  }

  private withdraw(asked: Asked, answer: Answer): void {
    const shown = this.mode.kind === 'asking' && this.mode.asked === asked;
    this.waiting = this.waiting.filter((job) => job !== asked);
    if (shown) {
      this.mode = { kind: 'withdrawn' };
      this.changedAtMs = this.options.clock.nowMs();
      this.editor.begin(APPEARANCE_GUARD_MS);
      const why = answer.kind === 'no_answer' ? 'no answer came in time' : 'this question was withdrawn';
      void this.terminal.write(`${this.terminal.freshLine()}  ${why}; press Enter to go on `);
    }
    asked.settle(answer);
  }

  private takeCommand(line: Uint8Array): void {
    const text = new TextDecoder().decode(line).trim();
    const match = /^(:[a-z]+)(?:\s+(.*))?$/su.exec(text);
    if (match?.[1] !== undefined) this.runCommand(match[1], match[2] ?? '');
    else if (text !== '') void this.print('no question is waiting; commands start with a colon (:help)');
  }

  private runCommand(name: string, argument: string): void {
    const handler = this.commands.get(name as CommandName);
    if (handler !== undefined) void handler(argument);
    else if (name === ':quit') this.leave();
    else if (name === ':help') void this.print(`commands: ${[...this.commands.keys(), ':quit'].join(' ')}`);
    else void this.print(`no such command here: ${visibleText(name)}`);
  }

  private leave(): void {
    if (this.gone.aborted) return;
    const left = this.waiting;
    this.waiting = [];
    if (this.mode.kind === 'asking') this.withdraw(this.mode.asked, { kind: 'withdrawn' });
    for (const job of left) if (job.kind === 'ask') job.settle({ kind: 'withdrawn' });
    this.leaving.abort();
  }
}
