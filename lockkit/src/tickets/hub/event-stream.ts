// One client's stream of changes as server-sent events (docs/hub-protocol.md, section 8). Opened by the routes.
// It pulls from the record from its own place on, so that nothing is skipped whatever was signalled; it holds no more
// than one read of unread bytes, and a client that stops reading is cut.
import type { ServerResponse } from 'node:http';
import type { StoreChange, TicketStore } from '../store/ticket-store.js';
import { HUB_LIMITS } from './hub-limits.js';

export interface EventStreamParts {
  readonly response: ServerResponse;
  readonly store: TicketStore;
  readonly after: number;
  /** Only tickets of this lock. */
  readonly owner?: string;
  /** Returns a function that takes the timer back. */
  readonly later: (ms: number, call: () => void) => () => void;
}

const CHANGES_PER_READ = 8;

export function runEventStream(parts: EventStreamParts): void {
  new EventStream(parts).start();
}

class EventStream {
  readonly #parts: EventStreamParts;
  #after: number;
  #pulling = false;
  #again = false;
  #stopBeat: () => void = () => undefined;

  constructor(parts: EventStreamParts) {
    this.#parts = parts;
    this.#after = parts.after;
  }

  start(): void {
    const { response, store } = this.#parts;
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    const off = store.onChange(() => this.#pull());
    response.once('close', () => {
      off();
      this.#stopBeat();
    });
    this.#beat();
    this.#pull();
  }

  #beat(): void {
    const { response, later } = this.#parts;
    if (!response.writableNeedDrain) response.write(': beat\n\n');
    this.#stopBeat = later(HUB_LIMITS.beatMs, () => {
      this.#beat();
      // Where a signal was lost (a database that came back), the beat finds the change.
      this.#pull();
    });
  }

  #pull(): void {
    this.#again = true;
    if (this.#pulling) return;
    this.#pulling = true;
    // What cannot be read now is read at the next signal or beat.
    void this.#pullAll()
      .catch(() => undefined)
      .finally(() => (this.#pulling = false));
  }

  async #pullAll(): Promise<void> {
    while (this.#again && !this.#parts.response.destroyed) {
      this.#again = false;
      const { store, owner } = this.#parts;
      const from = { after: this.#after, count: CHANGES_PER_READ };
      const changes = await store.changes(owner === undefined ? from : { ...from, owner });
      for (const change of changes) await this.#send(change);
      if (changes.length > 0) this.#again = true;
    }
  }

  async #send(change: StoreChange): Promise<void> {
    const { response } = this.#parts;
    const seq = change.kind === 'ticket' ? change.entry.seq : change.seq;
    const data = JSON.stringify(change.kind === 'ticket' ? change.entry : change.console);
    this.#after = seq;
    if (!response.write(`id: ${seq}\nevent: ${change.kind}\ndata: ${data}\n\n`)) await this.#drained();
  }

  #drained(): Promise<void> {
    const { response, later } = this.#parts;
    return new Promise((resolve) => {
      const cancel = later(HUB_LIMITS.unreadMs, () => response.destroy());
      const go = (): void => {
        cancel();
        response.off('drain', go).off('close', go);
        resolve();
      };
      response.once('drain', go).once('close', go);
    });
  }
}
