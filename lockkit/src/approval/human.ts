// The human, whatever they sit at: the console's own terminal, the window, or the hub. Called by the console and the
// lock types, which never know which of the three it is. No form may give a yes that a human did not type.
import type { Answer } from './question.js';
import type { Line, Screen } from './screen.js';

/** What a human may type while no question waits. Ctrl-O is `:results`. */
export type CommandName = ':review' | ':status' | ':quit' | ':results' | ':unmask' | ':reopen' | ':help';

/** `argument` is what stood behind the command's name, trimmed; it is text of the human, not of an agent. */
export type CommandHandler = (argument: string) => void | Promise<void>;

/** What a list of waiting questions says of one. It is shown only: nothing is decided by it. */
export interface QuestionAbout {
  readonly ticket?: string | undefined;
  readonly kind?: string | undefined;
  readonly risk?: string | undefined;
}

/** What a window's state line says of a console. */
export interface ConsoleStatus {
  readonly lock: string;
  readonly instance: string;
  readonly profile: string;
  readonly production: boolean;
  readonly desktopLevel: 1 | 2 | 3;
  readonly idleInS: number;
  readonly sessionEndsInS: number;
  readonly policy: 'approved' | 'pending';
}

export interface AskOptions {
  readonly about?: QuestionAbout | undefined;
  /** Aborted: the question is withdrawn and answers `withdrawn`. */
  readonly signal?: AbortSignal | undefined;
  /** Counted from the moment the screen is shown; default five minutes, then `no_answer`. */
  readonly timeoutMs?: number | undefined;
}

export interface Human {
  /** Shows a screen without a question. Resolves when it was written. */
  show(screen: Screen): Promise<void>;
  /** Shows a screen and its question, after those that wait already. A screen without a question is a bug. */
  ask(screen: Screen, options?: AskOptions): Promise<Answer>;
  /** One line of news; never interrupts a question that waits, it is written after it. */
  note(line: Line): void;
  /** One handler a command; the returned function takes it off again. */
  onCommand(name: CommandName, handler: CommandHandler): () => void;
  /** A form of the human with a state line reads it from here, about once a second; the others have none. */
  watch?(read: () => ConsoleStatus): void;
  /** The human left: the terminal hung up, or `:quit` was typed without a handler. */
  readonly gone: AbortSignal;
  /** Withdraws what waits and restores the terminal. May be called twice. */
  close(): Promise<void>;
}

export const DEFAULT_ANSWER_TIMEOUT_MS = 5 * 60_000;
