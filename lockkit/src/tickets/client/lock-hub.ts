// The lock's end of the hub (docs/hub-protocol.md, sections 7 and 8): posts tickets, hears decisions, says how tickets
// ended, and connects again by itself. Opened by the console. It judges nothing: what it hands on is whatever the hub
// said, for the console to check against its own ticket.
import type { Peer } from '../../native/kernel.js';
import { accepted, type Outcome } from '../../contract/outcome.js';
import type { ClosingState } from '../hub-entry.js';
import type { HubCode } from '../hub/hub-codes.js';
import { signTicket, type SignedTicket } from '../signed-ticket.js';
import type { SigningKey } from '../signing.js';
import { TICKET_LIMITS, type Ticket } from '../ticket.js';
import { askPatiently } from './ask-patiently.js';
import { asLost, HubLost, HubRefused, whyLost, type LostWhy } from './hub-lost.js';
import { HubWire } from './hub-wire.js';
import { keepConnected, pause } from './keep-connected.js';
import type { HubKeyFile } from './key-file.js';

export type LockHubNews =
  | { readonly kind: 'lost'; readonly why: LostWhy | HubCode }
  | { readonly kind: 'back' }
  /** The hub does not take one of our tickets any more, after it was lost. */
  | { readonly kind: 'not_taken'; readonly ticket: string; readonly code: HubCode }
  /** A decision for a ticket that this run never posted. */
  | { readonly kind: 'stray' };

export interface LockHubOptions {
  readonly keyFile: Pick<HubKeyFile, 'address' | 'token' | 'ca'>;
  readonly lock: string;
  readonly instance: string;
  readonly profile: string;
  readonly version: string;
  /** This run's own, made in memory. */
  readonly signing: SigningKey;
  readonly mayServe: (peer: Peer) => boolean;
  readonly nowMs: () => number;
  readonly later: (ms: number, call: () => void) => () => void;
  readonly onNews: (news: LockHubNews) => void;
  readonly timeoutMs?: number;
}

/** Called with whatever the hub gives as a decision, every time it gives one; `null`: the hub says it was withdrawn. */
export type OnDecision = (value: unknown) => void;

export interface LockHub {
  /** The hub has the ticket when this is accepted. Throws HubLost where nobody knows; then it is not waited for. */
  readonly post: (ticket: Ticket, onDecision: OnDecision) => Promise<Outcome<void, HubCode>>;
  /** Ends the waiting and tells the hub, now or when it is back. */
  readonly close: (ticket: Ticket, state: ClosingState, why?: string) => void;
  /** Leaves the hub; what waits there expires or is withdrawn by the next run. */
  readonly shutDown: () => void;
}

interface Posted {
  readonly signed: SignedTicket;
  readonly onDecision: OnDecision;
}

interface Closing {
  readonly id: string;
  readonly state: ClosingState;
  readonly why?: string;
  readonly untilMs: number;
}

const MAX_CLOSINGS = 1024;
const MAX_KNOWN = 65_536;

/** Announces the console and waits for the stream. Throws HubLost, or HubRefused when the hub does not take it. */
export async function openLockHub(options: LockHubOptions): Promise<LockHub> {
  const hub = new LockHubClient(options);
  try {
    await hub.start();
  } catch (error) {
    hub.shutDown();
    throw error;
  }
  return hub;
}

class LockHubClient implements LockHub {
  readonly #options: LockHubOptions;
  readonly #wire: HubWire;
  readonly #ended = new AbortController();
  readonly #posted = new Map<string, Posted>();
  readonly #closings = new Map<string, Closing>();
  /** Every id that this run posted. */
  readonly #known = new Set<string>();
  #flushing = false;

  constructor(options: LockHubOptions) {
    const { keyFile, mayServe, later, timeoutMs } = options;
    this.#options = options;
    const { address, ca } = keyFile;
    this.#wire = new HubWire({
      address,
      mayServe,
      later,
      ...(ca === undefined ? {} : { ca }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
    this.#wire.authorization = `Bearer ${keyFile.token}`;
  }

  start(): Promise<void> {
    const { later, onNews } = this.#options;
    return keepConnected({
      connect: (onOpen) => this.#connect(onOpen),
      signal: this.#ended.signal,
      later,
      onLost: (error) => this.#tellLost(error),
      onBack: () => {
        this.#told = undefined;
        onNews({ kind: 'back' });
      },
    });
  }

  async post(ticket: Ticket, onDecision: OnDecision): Promise<Outcome<void, HubCode>> {
    const posted = { signed: signTicket(ticket, this.#options.signing), onDecision };
    this.#posted.set(ticket.id, posted);
    this.#remember(ticket.id);
    try {
      const answer = await this.#postOnce(posted);
      if (!answer.ok) this.#posted.delete(ticket.id);
      return answer;
    } catch (error) {
      this.#posted.delete(ticket.id);
      throw error;
    }
  }

  close(ticket: Ticket, state: ClosingState, why?: string): void {
    const { id } = ticket;
    this.#posted.delete(id);
    const untilMs = this.#options.nowMs() + TICKET_LIMITS.decideMs + TICKET_LIMITS.useMs;
    this.#closings.set(id, { id, state, untilMs, ...(why === undefined ? {} : { why }) });
    const [oldest] = this.#closings.keys();
    if (this.#closings.size > MAX_CLOSINGS && oldest !== undefined) this.#closings.delete(oldest);
    void this.#flush();
  }

  shutDown = (): void => {
    this.#ended.abort();
    this.#wire.close();
  };

  /** Resolves when the stream ended because this side ended it; throws how it was lost. */
  async #connect(onOpen: () => void): Promise<void> {
    const { lock, instance, profile, version, signing } = this.#options;
    const announced = await this.#wire.ask('PUT', '/v1/console', {
      lock,
      instance,
      profile,
      version,
      key: signing.key,
    });
    if (!announced.ok) throw new HubRefused(announced.code);
    const { seq } = announced.value as { readonly seq?: unknown };
    if (!Number.isSafeInteger(seq)) throw new HubLost('nonsense');
    for (const posted of [...this.#posted.values()]) await this.#postAgain(posted);
    const streamed = await this.#wire.listen(`/v1/events?after=${String(seq)}`, {
      signal: this.#ended.signal,
      onOpen: () => {
        onOpen();
        void this.#flush();
      },
      onEvent: ({ event, data }) => {
        if (event === 'ticket') this.#hear(data);
      },
    });
    if (!streamed.ok) throw new HubRefused(streamed.code);
  }

  #told: string | undefined;

  #tellLost(error: unknown): void {
    const why = whyLost(error);
    if (this.#told === why) return;
    this.#told = why;
    this.#options.onNews({ kind: 'lost', why });
  }

  async #postOnce({ signed }: Posted): Promise<Outcome<void, HubCode>> {
    return this.#hearPosted(await this.#wire.ask('POST', '/v1/tickets', signed));
  }

  async #postAgain({ signed }: Posted): Promise<void> {
    const { id } = signed.ticket;
    const patience = { later: this.#options.later, signal: this.#ended.signal };
    const answer = this.#hearPosted(
      await askPatiently(this.#wire, patience, ['POST', '/v1/tickets', signed]),
    );
    if (answer.ok || !this.#posted.has(id)) return;
    this.#options.onNews({ kind: 'not_taken', ticket: id, code: answer.code });
  }

  #hearPosted(answer: Outcome<unknown, HubCode>): Outcome<void, HubCode> {
    if (!answer.ok) return answer;
    this.#hear(answer.value);
    return accepted(undefined);
  }

  /** An entry, if it is one of ours: only what is needed is looked at, and nothing is believed. */
  #hear(value: unknown): void {
    const { ticket, state, decision } = (typeof value === 'object' && value !== null ? value : {}) as {
      readonly ticket?: { readonly id?: unknown } | null;
      readonly state?: unknown;
      readonly decision?: unknown;
    };
    const id = typeof ticket?.id === 'string' ? ticket.id : '';
    const posted = this.#posted.get(id);
    if (posted === undefined && decision !== undefined && !this.#known.has(id))
      return this.#options.onNews({ kind: 'stray' });
    if (decision !== undefined) posted?.onDecision(decision);
    // That it is expired there is no news: this end has a clock of its own.
    else if (state === 'withdrawn') posted?.onDecision(null);
    return undefined;
  }

  #remember(id: string): void {
    this.#known.add(id);
    const [oldest] = this.#known;
    if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest);
  }

  async #flush(): Promise<void> {
    if (this.#flushing) return;
    this.#flushing = true;
    try {
      for (const closing of [...this.#closings.values()]) {
        const { id, state, why, untilMs } = closing;
        const body = { state, ...(why === undefined ? {} : { why }) };
        // Whatever a hub that is there says, it has heard it.
        if (untilMs > this.#options.nowMs()) await this.#wire.ask('POST', `/v1/tickets/${id}/close`, body);
        if (this.#closings.get(id) === closing) this.#closings.delete(id);
      }
    } catch (error) {
      // It is told again when the stream is back.
      if (!(asLost(error) instanceof HubLost)) throw error;
    } finally {
      this.#flushing = false;
    }
    if (this.#closings.size > 0 && !this.#ended.signal.aborted) void this.#flushLater();
  }

  #waiting = false;

  async #flushLater(): Promise<void> {
    if (this.#waiting) return;
    this.#waiting = true;
    await pause(1000, { later: this.#options.later, signal: this.#ended.signal });
    this.#waiting = false;
    if (!this.#ended.signal.aborted) await this.#flush();
  }
}
