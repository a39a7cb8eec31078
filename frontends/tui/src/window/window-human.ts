// The window as the human of one console: the same interface as the plain terminal's. Opened by a console's composition
// root on a terminal. It adds nothing to what counts as an answer.
import {
  DEFAULT_ANSWER_TIMEOUT_MS,
  type Answer,
  type AskOptions,
  type CommandHandler,
  type CommandName,
  type ConsoleStatus,
  type Human,
  type Line,
  type Screen,
} from 'lockkit/approval';
import type { WindowOptions } from './surface.js';
import { Window } from './window.js';

const SOURCE = 'console';
const STATUS_MS = 1000;

/** A Human in this window, and `restore` for whoever must give the terminal back at once (a signal handler). */
export function openWindowHuman(
  options: WindowOptions,
): Human & { readonly restore: () => void; readonly hasScreen: true } {
  return new WindowHuman(options);
}

class WindowHuman implements Human {
  readonly hasScreen = true;
  readonly #options: WindowOptions;
  readonly #window: Window;
  #next = 1;
  #stopWatching: () => void = () => undefined;

  constructor(options: WindowOptions) {
    this.#options = options;
    this.#window = new Window(options);
    this.#window.setSource({ id: SOURCE, name: 'console', state: 'starting' });
  }

  get gone(): AbortSignal {
    return this.#window.gone;
  }

  get restore(): () => void {
    return this.#window.restore;
  }

  show(screen: Screen): Promise<void> {
    this.#window.show({ ...this.#item(screen), about: {} });
    return Promise.resolve();
  }

  ask(screen: Screen, options: AskOptions = {}): Promise<Answer> {
    if (screen.question === undefined) throw new Error('a screen without a question was asked');
    const { signal, timeoutMs = DEFAULT_ANSWER_TIMEOUT_MS, about = {} } = options;
    if (signal?.aborted === true) return Promise.resolve({ kind: 'withdrawn' });
    return new Promise((resolve) => {
      const item = { ...this.#item(screen), about };
      const end = (answer: Answer): void => {
        cancel();
        signal?.removeEventListener('abort', leave);
        resolve(answer);
      };
      const takeBack = (answer: Answer, why: string): void => {
        this.#window.withdraw(item.id, why);
        end(answer);
      };
      const leave = (): void => takeBack({ kind: 'withdrawn' }, 'this question was withdrawn');
      const cancel = this.#options.clock.after(timeoutMs, () =>
        takeBack({ kind: 'no_answer' }, 'no answer came in time'),
      );
      signal?.addEventListener('abort', leave, { once: true });
      this.#window.ask(item, end);
    });
  }

  note(line: Line): void {
    this.#window.note(SOURCE, line);
  }

  onCommand(name: CommandName, handler: CommandHandler): () => void {
    return this.#window.onCommand(SOURCE, name, handler);
  }

  watch(read: () => ConsoleStatus): void {
    const { clock } = this.#options;
    const look = (): void => {
      const status = read();
      const { profile: name } = status;
      this.#window.setSource({
        id: SOURCE,
        name,
        state: 'ready',
        status: { read: status, atMs: clock.nowMs() },
      });
      this.#stopWatching = clock.after(STATUS_MS, look);
    };
    look();
  }

  close(): Promise<void> {
    this.#stopWatching();
    this.#window.close();
    return Promise.resolve();
  }

  #item(screen: Screen): { id: string; source: string; screen: Screen } {
    return { id: `q${this.#next++}`, source: SOURCE, screen };
  }
}
