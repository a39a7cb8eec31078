// Server-sent events from the bytes of a stream (docs/hub-protocol.md, section 8). Used by hub-wire.ts.
// Holds one event at most; what has not the form of one is nonsense, and the stream is left.
import { HubLost } from './hub-lost.js';

export interface HubEvent {
  readonly id: number;
  readonly event: string;
  readonly data: unknown;
}

const MAX_EVENT_BYTES = 1024 * 1024;

export class EventReader {
  readonly #onEvent: (event: HubEvent) => void;
  #held: Buffer = Buffer.alloc(0);

  constructor(onEvent: (event: HubEvent) => void) {
    this.#onEvent = onEvent;
  }

  push(chunk: Buffer): void {
    this.#held = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    for (let end = this.#held.indexOf('\n\n'); end >= 0; end = this.#held.indexOf('\n\n')) {
      const block = this.#held.subarray(0, end);
      this.#held = this.#held.subarray(end + 2);
      this.#read(block);
    }
    if (this.#held.length > MAX_EVENT_BYTES) throw new HubLost('nonsense');
  }

  #read(block: Buffer): void {
    const fields = new Map<string, string>();
    for (const line of block.toString('utf8').split('\n')) {
      const [, name, value = ''] = /^(id|event|data): (.*)$/s.exec(line) ?? [];
      if (name !== undefined) fields.set(name, value);
    }
    if (fields.size === 0) return;
    const [id, event, data] = [Number(fields.get('id')), fields.get('event'), fields.get('data')];
    if (!Number.isSafeInteger(id) || event === undefined || data === undefined) throw new HubLost('nonsense');
    this.#onEvent({ id, event, data: parseJson(Buffer.from(data)) });
  }
}

/** JSON in UTF-8, or HubLost. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new HubLost('nonsense');
  }
}
