// The line that is being typed on a terminal: keys through the guard into a line, echoed as visible text or not at all.
// Used by terminal-human.ts for answers and commands alike. Must never echo a secret, nor keep one.
import {
  decideKey,
  decideQuiet,
  distrust,
  openGuard,
  QUIET_MS,
  type Guard,
  type KeyClass,
} from './answer-guard.js';
import { createKeyReader, type Key, type MoveKey } from './key-reader.js';
import { createLineBuffer } from './line-buffer.js';
import type { Clock, Terminal } from './terminal.js';
import { joinUnits, makeVisible } from './visible.js';

export interface LineEvents {
  /** A line that counts. The bytes are wiped when this returns. */
  readonly onLine: (line: Uint8Array) => void;
  /** What was typed was thrown away: the human must be told. */
  readonly onSpoiled: () => void;
  readonly onInterrupt: () => void;
  readonly onResults: () => void;
  /** A key that chooses or scrolls. What was being typed is thrown away first. */
  readonly onMove?: (key: MoveKey) => void;
  /** The line grew or shrank: whoever draws it himself draws it anew (shown). */
  readonly onEdit?: () => void;
}

const MOVES: ReadonlySet<string> = new Set<MoveKey>(['up', 'down', 'page_up', 'page_down']);

/** After a longer pause of the process nobody knows when the bytes behind it were typed. */
const MAX_PAUSE_MS = 400;
const HEARTBEAT_MS = 100;
/** A turn of the event loop, so that what the system holds already is read first. */
const READ_TURN_MS = 1;

export class LineEditor {
  private readonly clock: Clock;
  private readonly terminal: Terminal;
  private readonly events: LineEvents;
  private readonly reader = createKeyReader();
  private readonly line = createLineBuffer();
  private guard: Guard;
  private secret = false;
  private stopTimers: readonly (() => void)[] = [];

  constructor(clock: Clock, terminal: Terminal, events: LineEvents) {
    this.clock = clock;
    this.terminal = terminal;
    this.events = events;
    this.guard = openGuard(clock.nowMs(), 0);
  }

  /** Starts an empty line whose keys count after `guardMs`; a secret one has no echo and may be pasted. */
  begin(guardMs: number, secret = false): void {
    for (const stop of this.stopTimers) stop();
    this.stopTimers = [];
    this.line.wipe();
    this.secret = secret;
    this.guard = openGuard(this.clock.nowMs(), guardMs);
  }

  /** The question is up now: keys count after `guardMs`. What was spoiled before stays spoiled. */
  open(guardMs: number): void {
    const now = this.clock.nowMs();
    this.guard = { ...this.guard, opensAtMs: now + guardMs };
    this.beat(now);
  }

  /** Something beside the question changed: keys count again after `guardMs`. */
  hold(guardMs: number): void {
    const opensAtMs = Math.max(this.guard.opensAtMs, this.clock.nowMs() + guardMs);
    this.guard = { ...this.guard, opensAtMs };
  }

  /** The line so far as visible text; nothing of a secret. */
  shown(): string {
    if (this.secret) return '';
    const line = this.line.copy();
    const { text } = showBytes(line);
    line.fill(0);
    return text;
  }

  /** Whether a line is begun: what is shown beside it should hold still. */
  isTyping(): boolean {
    return this.line.length() > 0 || this.guard.enteredAtMs !== null;
  }

  push(bytes: Uint8Array): void {
    const now = this.clock.nowMs();
    for (const key of this.reader.push(bytes, now)) this.take(key, now);
    // Behind an Enter every byte breaks the silence, also one of which nobody knows yet what it will be.
    if (this.reader.isPending() && this.guard.enteredAtMs !== null) this.take({ kind: 'foreign' }, now);
    if (this.secret) bytes.fill(0);
  }

  private take(key: Key, now: number): void {
    const { guard, effect } = decideKey(this.guard, this.classify(key), now);
    this.guard = guard;
    if (effect === 'take') this.edit(key);
    if (effect === 'enter') this.end();
    if (effect === 'spoil') this.line.wipe();
    if (effect === 'spoil' || effect === 'resume') this.events.onSpoiled();
    if ('bytes' in key && this.secret) key.bytes.fill(0);
    if (key.kind === 'interrupt') this.events.onInterrupt();
    if (key.kind === 'results') this.events.onResults();
    if (MOVES.has(key.kind)) this.events.onMove?.(key.kind as MoveKey);
    if (effect !== 'drop') this.events.onEdit?.();
  }

  private classify(key: Key): KeyClass {
    if (key.kind === 'text' || key.kind === 'enter') return key.kind;
    if (key.kind === 'backspace' || key.kind === 'clear') return 'edit';
    return key.kind === 'paste' && this.secret ? 'text' : 'foreign';
  }

  private edit(key: Key): void {
    if (key.kind === 'text' || key.kind === 'paste') this.append(key.bytes);
    if (key.kind === 'backspace') this.eraseOne();
    while (key.kind === 'clear' && this.line.length() > 0) this.eraseOne();
  }

  private append(bytes: Uint8Array): void {
    const typed = bytes.filter((byte) => byte >= 0x20 && byte !== 0x7f);
    if (this.line.append(typed)) this.echo(showBytes(typed).text);
    typed.fill(0);
  }

  private eraseOne(): void {
    this.echo('\b \b'.repeat(showBytes(this.line.erase()).width));
  }

  private echo(text: string): void {
    if (this.terminal.isTty && !this.secret && text !== '') void this.terminal.write(text);
  }

  private end(): void {
    if (this.terminal.isTty) void this.terminal.write('\n');
    const settleAfterReading = (): void => this.later(READ_TURN_MS, () => this.settle());
    this.later(QUIET_MS, settleAfterReading);
  }

  private settle(): void {
    if (!decideQuiet(this.guard, this.clock.nowMs())) return;
    const line = this.line.copy();
    this.begin(0);
    this.events.onLine(line);
    line.fill(0);
  }

  /** Notices when the process slept while a question was up. */
  private beat(lastMs: number): void {
    this.later(HEARTBEAT_MS, () => {
      const now = this.clock.nowMs();
      if (now - lastMs > MAX_PAUSE_MS) this.guard = distrust(this.guard, now);
      this.beat(now);
    });
  }

  private later(delayMs: number, run: () => void): void {
    const stop = this.clock.after(delayMs, () => {
      this.stopTimers = this.stopTimers.filter((other) => other !== stop);
      run();
    });
    this.stopTimers = [...this.stopTimers, stop];
  }
}

/** How typed bytes look on the terminal. Bytes that are no whole character show as U+FFFD. */
function showBytes(bytes: Uint8Array): { readonly text: string; readonly width: number } {
  const { units } = makeVisible(new TextDecoder().decode(bytes), 'static');
  return { text: joinUnits(units), width: units.reduce((sum, unit) => sum + unit.width, 0) };
}
