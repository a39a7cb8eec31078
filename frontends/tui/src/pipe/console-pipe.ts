// The window's end of one console's pipe (docs/window-protocol.md): what the console asks and tells becomes questions,
// pages and news of the window; what the human types goes back. Called by lox for each console that it started. A console
// that breaks the protocol is ended by the caller; nothing of its line is shown.
import type { Readable, Writable } from 'node:stream';
import type { Answer, Clock, CommandName } from 'lockkit/approval';
import { LineCutter } from 'lockkit/rpc';
import type { Window } from '../window/window.js';
import {
  encodeToConsole,
  MAX_LINE_BYTES,
  MAX_OPEN_QUESTIONS,
  parseFromConsole,
  WINDOW_PROTOCOL,
  type FromConsole,
  type ToConsole,
} from './messages.js';

export interface ConsolePipeOptions {
  readonly window: Pick<Window, 'ask' | 'show' | 'note' | 'withdraw' | 'setSource' | 'onCommand'>;
  /** The console's id in the window. */
  readonly source: string;
  readonly name: string;
  /** What the console must say that it is. */
  readonly expected: { readonly lock: string; readonly instance: string; readonly profile: string };
  readonly input: Readable;
  readonly output: Writable;
  readonly clock: Clock;
  /** Signs the tickets of this run of the console. */
  readonly onTicketKey: (key: string) => void;
  /** The console broke the protocol, and why: it must be ended. Called once. */
  readonly onBroken: (
    why: 'not the window protocol' | 'another console than was started' | 'too much at once',
  ) => void;
}

const WHY = { withdrawn: 'this question was withdrawn', no_answer: 'no answer came in time' } as const;

/** Returns a function that takes the console's commands out of the window; what it asked is the caller's to remove. */
export function openConsolePipe(options: ConsolePipeOptions): () => void {
  const pipe = new ConsolePipe(options);
  return () => pipe.close();
}

class ConsolePipe {
  readonly #options: ConsolePipeOptions;
  readonly #cutter: LineCutter;
  readonly #questions = new Set<number>();
  readonly #offers = new Map<CommandName, () => void>();
  #greeted = false;
  #closed = false;
  #lastId = 0;

  constructor(options: ConsolePipeOptions) {
    this.#options = options;
    this.#cutter = new LineCutter(
      MAX_LINE_BYTES,
      (line) => this.#take(line),
      () => this.#break('not the window protocol'),
    );
    options.input.on('data', (chunk: Buffer) => this.#cutter.push(chunk));
    options.output.on('error', () => undefined);
    this.#send({ kind: 'hello', v: WINDOW_PROTOCOL });
  }

  close(): void {
    this.#closed = true;
    this.#cutter.close();
    for (const off of this.#offers.values()) off();
    this.#offers.clear();
  }

  #break(why: Parameters<ConsolePipeOptions['onBroken']>[0]): void {
    if (this.#closed) return;
    this.close();
    this.#options.onBroken(why);
  }

  #send(message: ToConsole): void {
    if (!this.#closed) this.#options.output.write(encodeToConsole(message));
  }

  #take(line: Buffer): void {
    const message = parseFromConsole(line);
    if (!message.ok) return this.#break('not the window protocol');
    if (!this.#greeted) return this.#greet(message.value);
    this.#use(message.value);
  }

  #greet(message: FromConsole): void {
    if (message.kind !== 'hello' || message.v !== WINDOW_PROTOCOL)
      return this.#break('not the window protocol');
    const { lock, instance, profile } = this.#options.expected;
    const same = message.lock === lock && message.instance === instance && message.profile === profile;
    if (!same) return this.#break('another console than was started');
    this.#greeted = true;
  }

  #use(message: FromConsole): void {
    const { window, source, name, clock } = this.#options;
    switch (message.kind) {
      case 'hello':
        return this.#break('not the window protocol');
      case 'ask':
        return this.#ask(message);
      case 'show':
        return this.#show(message);
      case 'withdraw':
        if (this.#questions.delete(message.id)) window.withdraw(this.#idOf(message.id), WHY[message.why]);
        return;
      case 'note':
        return window.note(source, message.line);
      case 'ticket_key':
        return this.#options.onTicketKey(message.key);
      case 'commands':
        return this.#offer(message.names);
      case 'status':
        return window.setSource({
          id: source,
          name,
          state: 'ready',
          status: { read: message.status, atMs: clock.nowMs() },
        });
    }
  }

  #ask({ id, screen, about }: FromConsole & { kind: 'ask' }): void {
    if (!this.#isNew(id)) return;
    if (this.#questions.size >= MAX_OPEN_QUESTIONS) return this.#break('too much at once');
    this.#questions.add(id);
    const settle = (answer: Answer): void => {
      this.#questions.delete(id);
      this.#send({ kind: 'answer', id, answer });
      if (answer.kind === 'secret') answer.value.fill(0);
    };
    this.#options.window.ask({ id: this.#idOf(id), source: this.#options.source, screen, about }, settle);
  }

  #show({ id, screen }: FromConsole & { kind: 'show' }): void {
    if (!this.#isNew(id)) return;
    const { window, source } = this.#options;
    window.show({ id: this.#idOf(id), source, screen, about: {} });
  }

  /** Ids only grow: none ever means two things. */
  #isNew(id: number): boolean {
    if (id <= this.#lastId) {
      this.#break('not the window protocol');
      return false;
    }
    this.#lastId = id;
    return true;
  }

  #offer(names: readonly CommandName[]): void {
    const { window, source } = this.#options;
    for (const [name, off] of this.#offers)
      if (!names.includes(name)) {
        off();
        this.#offers.delete(name);
      }
    for (const name of names)
      if (!this.#offers.has(name))
        this.#offers.set(
          name,
          window.onCommand(source, name, (argument) => this.#send({ kind: 'command', name, argument })),
        );
  }

  #idOf(id: number): string {
    return `${this.#options.source} ${id}`;
  }
}
