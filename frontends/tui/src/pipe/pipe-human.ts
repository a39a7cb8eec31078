// The human of a console that `lox` started: questions and screens go through a private pipe to the window, answers come
// back (docs/window-protocol.md). Opened by a console's composition root on its standard input and output. Whatever is
// no message of the window, or the end of the pipe, means that the human is gone: nothing is ever taken for a yes.
import type { Readable, Writable } from 'node:stream';
import {
  DEFAULT_ANSWER_TIMEOUT_MS,
  type Answer,
  type AskOptions,
  type Clock,
  type CommandHandler,
  type CommandName,
  type ConsoleStatus,
  type Human,
  type Line,
  type Question,
  type Screen,
} from 'lockkit/approval';
import { LineCutter } from 'lockkit/rpc';
import {
  encodeFromConsole,
  MAX_LINE_BYTES,
  parseToConsole,
  WINDOW_PROTOCOL,
  type FromConsole,
  type ToConsole,
} from './messages.js';

export interface PipeHumanOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly clock: Clock;
  /** Whose console this is, for the window's lists. */
  readonly lock: string;
  readonly instance: string;
  readonly profile: string;
}

const STATUS_MS = 5000;

export interface PipedHuman extends Human {
  readonly restore: () => void;
  /** Tells the window the key that signs this run's tickets: it shows tickets of no other. */
  readonly tellTicketKey: (key: string) => void;
}

export function openPipeHuman(options: PipeHumanOptions): PipedHuman {
  return new PipeHuman(options);
}

interface Asked {
  readonly question: Question;
  readonly settle: (answer: Answer) => void;
}

class PipeHuman implements PipedHuman {
  readonly #options: PipeHumanOptions;
  readonly #leaving = new AbortController();
  readonly gone: AbortSignal = this.#leaving.signal;
  readonly #asked = new Map<number, Asked>();
  readonly #commands = new Map<CommandName, CommandHandler>();
  #greeted = false;
  #next = 1;
  #stopWatching: () => void = () => undefined;

  constructor(options: PipeHumanOptions) {
    this.#options = options;
    const { input, output, lock, instance, profile } = options;
    const cutter = new LineCutter(
      MAX_LINE_BYTES,
      (line) => this.#take(line),
      () => this.#leave(),
    );
    input.on('data', (chunk: Buffer) => cutter.push(chunk));
    for (const name of ['end', 'close', 'error']) input.on(name, () => this.#leave());
    for (const name of ['close', 'error']) output.on(name, () => this.#leave());
    this.#send({ kind: 'hello', v: WINDOW_PROTOCOL, lock, instance, profile });
  }

  /** Nothing of a terminal is held. */
  readonly restore = (): void => undefined;

  show(screen: Screen): Promise<void> {
    return this.#send({ kind: 'show', id: this.#next++, screen });
  }

  ask(screen: Screen, options: AskOptions = {}): Promise<Answer> {
    const { question } = screen;
    if (question === undefined) throw new Error('a screen without a question was asked');
    const { signal, timeoutMs = DEFAULT_ANSWER_TIMEOUT_MS, about = {} } = options;
    if (this.gone.aborted || signal?.aborted === true) return Promise.resolve({ kind: 'withdrawn' });
    const id = this.#next++;
    return new Promise((resolve) => {
      const settle = (answer: Answer): void => {
        this.#asked.delete(id);
        cancel();
        signal?.removeEventListener('abort', withdraw);
        resolve(answer);
      };
      const takeBack = (why: 'withdrawn' | 'no_answer'): void => {
        void this.#send({ kind: 'withdraw', id, why });
        settle({ kind: why });
      };
      const withdraw = (): void => takeBack('withdrawn');
      const cancel = this.#options.clock.after(timeoutMs, () => takeBack('no_answer'));
      signal?.addEventListener('abort', withdraw, { once: true });
      this.#asked.set(id, { question, settle });
      void this.#send({ kind: 'ask', id, screen, about });
    });
  }

  note(line: Line): void {
    void this.#send({ kind: 'note', line });
  }

  onCommand(name: CommandName, handler: CommandHandler): () => void {
    this.#commands.set(name, handler);
    this.#announce();
    return () => {
      if (this.#commands.get(name) !== handler) return;
      this.#commands.delete(name);
      this.#announce();
    };
  }

  readonly tellTicketKey = (key: string): void => void this.#send({ kind: 'ticket_key', key });

  watch(read: () => ConsoleStatus): void {
    const look = (): void => {
      void this.#send({ kind: 'status', status: read() });
      this.#stopWatching = this.#options.clock.after(STATUS_MS, look);
    };
    look();
  }

  close(): Promise<void> {
    this.#leave();
    this.#options.input.pause();
    return Promise.resolve();
  }

  #announce(): void {
    void this.#send({ kind: 'commands', names: [...this.#commands.keys()] });
  }

  /** Resolves when the line was handed to the system. */
  #send(message: FromConsole): Promise<void> {
    if (this.gone.aborted) return Promise.resolve();
    return new Promise(
      (resolve) => void this.#options.output.write(encodeFromConsole(message), () => resolve()),
    );
  }

  #take(line: Buffer): void {
    if (this.gone.aborted) return;
    const message = parseToConsole(line);
    line.fill(0);
    if (!message.ok || !this.#use(message.value)) this.#leave();
  }

  /** false: the window said what it may not say now. */
  #use(message: ToConsole): boolean {
    if (message.kind === 'hello') {
      const first = !this.#greeted;
      this.#greeted = true;
      return first && message.v === WINDOW_PROTOCOL;
    }
    if (!this.#greeted) return false;
    if (message.kind === 'answer') return this.#answer(message.id, message.answer);
    void this.#commands.get(message.name)?.(message.argument);
    return true;
  }

  /** An answer to what is no longer asked came too late and is nothing; one of the wrong kind is no answer at all. */
  #answer(id: number, answer: Answer): boolean {
    if (id >= this.#next) return false;
    const asked = this.#asked.get(id);
    if (asked === undefined) return true;
    const wanted = asked.question.kind === 'secret' ? 'secret' : 'yes';
    const fits = answer.kind === 'no' || answer.kind === 'withdrawn' || answer.kind === wanted;
    if (fits) asked.settle(answer);
    return fits;
  }

  #leave(): void {
    if (this.gone.aborted) return;
    this.#stopWatching();
    this.#leaving.abort();
    for (const { settle } of this.#asked.values()) settle({ kind: 'withdrawn' });
  }
}
