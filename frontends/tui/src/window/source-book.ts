// The consoles of the window, by id. Used by window.ts: for the list, for the names that commands take, for the news.
import { untrusted, type Line } from 'lockkit/approval';
import type { WindowSource } from './source-line.js';

export class SourceBook {
  readonly #sources = new Map<string, WindowSource>();

  /** true when that is news; the times of a session run on by themselves. */
  set(source: WindowSource): boolean {
    const before = this.#sources.get(source.id);
    this.#sources.set(source.id, source);
    return before?.state !== source.state || before.name !== source.name;
  }

  remove(id: string): void {
    this.#sources.delete(id);
  }

  all(): readonly WindowSource[] {
    return [...this.#sources.values()];
  }

  readonly nameOf = (id: string): string => this.#sources.get(id)?.name ?? '';

  /** The line, with its console's name where there are several. */
  label(id: string, line: Line): Line {
    const name = this.nameOf(id);
    return this.#sources.size > 1 && name !== '' ? [untrusted(name), ': ', ...line] : line;
  }
}
