// What the human may type beside answers: `:review`, `:status` … , each of one console or of several. Used by window.ts.
// Nothing here answers a question.
import type { CommandHandler, CommandName } from 'lockkit/approval';

/** What a console's human may type, and what only a window of several consoles knows. */
export type WindowCommand = CommandName | ':start';

export type FoundCommand =
  | ({ readonly kind: 'run'; readonly argument: string } & Registered)
  | { readonly kind: 'help' }
  | { readonly kind: 'unknown' }
  /** Several consoles know it: the human must name one. */
  | { readonly kind: 'which'; readonly names: readonly string[] };

interface Registered {
  readonly source: string;
  readonly handler: CommandHandler;
}

/** The window's own commands belong to no console. */
export const WINDOW_SOURCE = '';

export class CommandDesk {
  readonly #commands = new Map<string, Registered[]>();

  add(source: string, name: WindowCommand, handler: CommandHandler): () => void {
    const registered = { source, handler };
    const others = (this.#commands.get(name) ?? []).filter((one) => one.source !== source);
    this.#commands.set(name, [...others, registered]);
    return () =>
      this.#commands.set(
        name,
        (this.#commands.get(name) ?? []).filter((one) => one !== registered),
      );
  }

  names(): readonly string[] {
    return [...this.#commands].filter(([, list]) => list.length > 0).map(([name]) => name);
  }

  /** `nameOf` gives a console's name; an argument that starts with it chooses that console. */
  find(text: string, nameOf: (source: string) => string): FoundCommand {
    const match = /^(:[a-z]+|\?)(?:\s+(.*))?$/su.exec(text);
    const name = match?.[1] === '?' ? ':help' : (match?.[1] ?? '');
    const argument = (match?.[2] ?? '').trim();
    const list = this.#commands.get(name) ?? [];
    if (name === ':help') return { kind: 'help' };
    const [word = '', ...rest] = argument.split(/\s+/u);
    const named = list.find(({ source }) => source !== WINDOW_SOURCE && nameOf(source) === word);
    if (named !== undefined) return { kind: 'run', ...named, argument: rest.join(' ') };
    const own =
      list.find(({ source }) => source === WINDOW_SOURCE) ?? (list.length === 1 ? list[0] : undefined);
    if (own !== undefined) return { kind: 'run', ...own, argument };
    if (list.length === 0) return { kind: 'unknown' };
    return { kind: 'which', names: list.map(({ source }) => nameOf(source)) };
  }
}
