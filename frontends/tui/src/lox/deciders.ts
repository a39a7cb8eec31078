// The two deciders of a lox at its own hub, human and auto: the keys that the hub host made, and whom they believe. Opened
// by run-lox.ts, and by the demo as text.
import { processClock } from 'lockkit/approval';
import { openDeciderHub, type DeciderHub, type DeciderNews } from 'lockkit/hub';
import type { SigningKey } from 'lockkit/tickets';
import type { ConsoleKeys } from './console-keys.js';
import type { HubHost } from './hub-host.js';

/** The hub's events for both keys of this lox; what was known before it is ready is no news. */
export class Deciders {
  readonly #host: HubHost;
  readonly #keys: ConsoleKeys;
  readonly #hear: (news: DeciderNews) => void;
  #human: DeciderHub | undefined;
  #auto: DeciderHub | undefined;

  constructor(host: HubHost, keys: ConsoleKeys, hear: (news: DeciderNews) => void) {
    this.#host = host;
    this.#keys = keys;
    this.#hear = hear;
  }

  async open(): Promise<void> {
    this.#auto = await this.#connect(this.#host.auto, () => undefined);
    this.#human = await this.#connect(this.#host.human, (news) => {
      if (this.#human !== undefined) this.#hear(news);
    });
  }

  get human(): DeciderHub {
    return this.#human as DeciderHub;
  }

  get auto(): DeciderHub {
    return this.#auto as DeciderHub;
  }

  close(): void {
    this.#human?.close();
    this.#auto?.close();
  }

  #connect(decider: SigningKey, onNews: (news: DeciderNews) => void): Promise<DeciderHub> {
    return openDeciderHub({
      address: this.#host.address,
      decider,
      isTrusted: (key, of) => this.#keys.isKnown(key, of),
      mayServe: ({ pid }) => pid === process.pid,
      now: () => new Date(),
      later: processClock.after,
      onNews,
    });
  }
}
