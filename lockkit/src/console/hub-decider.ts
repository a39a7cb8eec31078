// The console's tickets decided through a hub: posts, verifies what comes back against its own ticket, opens sealed
// values (docs/hub-protocol.md, section 5). Opened at the console's start, which fails without its hub. Every decision
// that does not count has its code in the audit; a hub that is down, slow or lying leaves tickets undecided, no more.
import { UserMistake } from '../contract/fault.js';
import { checkDecision, isUnfit, type Decider, type DecisionCode } from '../tickets/check-decision.js';
import { HubLost, HubRefused } from '../tickets/client/hub-lost.js';
import type { HubKeyFile } from '../tickets/client/key-file.js';
import {
  openLockHub,
  type LockHub,
  type LockHubNews,
  type LockHubOptions,
} from '../tickets/client/lock-hub.js';
import type { Decision } from '../tickets/decision.js';
import { openSealKey, type SealKey } from '../tickets/seal.js';
import type { SigningKey } from '../tickets/signing.js';
import type { Ticket } from '../tickets/ticket.js';
import type { TicketAsking, TicketDecider, TicketVerdict } from './ticket-decider.js';

export interface HubDeciderParts extends Pick<
  LockHubOptions,
  'lock' | 'instance' | 'profile' | 'version' | 'mayServe' | 'nowMs' | 'later' | 'timeoutMs'
> {
  readonly keyFile: HubKeyFile;
  readonly signing: SigningKey;
  readonly audit: (event: string, fields: Readonly<Record<string, unknown>>) => Promise<void>;
  /** One line for the human at the console. */
  readonly note: (line: string) => void;
}

export interface HubDecider extends TicketDecider {
  readonly kind: 'hub';
  readonly shutDown: () => void;
}

/** Decisions of one ticket that do not count, and strays of one run, are recorded up to here; more say nothing new. */
const RECORDED_PER_TICKET = 3;
const RECORDED_STRAYS = 16;

/** Throws UserMistake with what to do when the hub is not there or does not take this console. */
export async function openHubDecider(parts: HubDeciderParts): Promise<HubDecider> {
  const desk = new HubDesk(parts);
  await desk.open();
  return desk;
}

class HubDesk implements HubDecider {
  readonly kind = 'hub';
  readonly #parts: HubDeciderParts;
  #hub: LockHub | undefined;
  /** By public key, until their ticket is asked. */
  readonly #seals = new Map<string, SealKey>();
  #strays = 0;

  constructor(parts: HubDeciderParts) {
    this.#parts = parts;
  }

  async open(): Promise<void> {
    try {
      this.#hub = await openLockHub({ ...this.#parts, onNews: (news) => this.#tell(news) });
    } catch (error) {
      throw new UserMistake(whyNotOpen(error));
    }
  }

  shutDown = (): void => {
    this.#hub?.shutDown();
    for (const seal of this.#seals.values()) seal.drop();
    this.#seals.clear();
  };

  makeSealKey = async (): Promise<string> => {
    const seal = await openSealKey();
    this.#seals.set(seal.publicKey, seal);
    return seal.publicKey;
  };

  ask = async (
    ticket: Ticket,
    asking: TicketAsking,
  ): Promise<{ readonly verdict: Promise<TicketVerdict> } | 'unreachable'> => {
    const hub = this.#hub as LockHub;
    const seal = this.#seals.get(ticket.seal_key ?? '');
    this.#seals.delete(ticket.seal_key ?? '');
    const waiting = new WaitingTicket(ticket, asking, seal, this.#parts);
    try {
      const posted = await hub.post(ticket, waiting.hear);
      if (posted.ok) return { verdict: waiting.verdict };
      await this.#parts.audit('hub.refused', { ticket: ticket.id, code: posted.code });
    } catch (error) {
      if (!(error instanceof HubLost)) throw error;
      await this.#parts.audit('hub.unreachable', { ticket: ticket.id, why: error.why });
      // It may have arrived all the same: nobody is to decide it.
      hub.close(ticket, 'withdrawn', 'E_NO_HUB');
    }
    waiting.end({ kind: 'withdrawn' });
    return 'unreachable';
  };

  ended = (ticket: Ticket, state: 'used' | 'withdrawn' | 'expired', why?: string): void =>
    this.#hub?.close(ticket, state, why);

  #tell(news: LockHubNews): void {
    const { audit, note } = this.#parts;
    const record = (event: string, fields: object): void =>
      void audit(event, { ...fields }).catch(() => undefined);
    switch (news.kind) {
      case 'lost':
        record('hub.lost', { why: news.why });
        return note(`the hub is lost (${news.why}): tickets wait until it is back`);
      case 'back':
        record('hub.back', {});
        return note('the hub is back');
      case 'not_taken':
        record('hub.refused', { ticket: news.ticket, code: news.code });
        return note(`the hub does not take ticket ${news.ticket} again (${news.code})`);
      case 'stray':
        // A decision for no ticket of this run: an old one, replayed or sent to the wrong console.
        if (++this.#strays <= RECORDED_STRAYS) record('hub.refused', { code: 'E_NOT_PENDING' });
        return undefined;
    }
  }
}

/** One ticket until its verdict; the first that counts is the only one. */
class WaitingTicket {
  readonly verdict: Promise<TicketVerdict>;
  readonly #ticket: Ticket;
  readonly #asking: TicketAsking;
  readonly #seal: SealKey | undefined;
  readonly #parts: HubDeciderParts;
  #settle: (verdict: TicketVerdict) => void = () => undefined;
  #counted: string | undefined;
  #refusals = 0;
  #isOver = false;
  #cancel: () => void;

  constructor(ticket: Ticket, asking: TicketAsking, seal: SealKey | undefined, parts: HubDeciderParts) {
    this.#ticket = ticket;
    this.#asking = asking;
    this.#seal = seal;
    this.#parts = parts;
    this.verdict = new Promise((resolve) => (this.#settle = resolve));
    this.#cancel = parts.later(asking.timeoutMs, () => this.end({ kind: 'no_answer' }));
    const leave = (): void => this.end({ kind: 'withdrawn' });
    if (asking.signal?.aborted) leave();
    else asking.signal?.addEventListener('abort', leave, { once: true });
  }

  end(verdict: TicketVerdict): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#cancel();
    this.#seal?.drop();
    this.#settle(verdict);
  }

  /** Whatever the hub gave for this ticket. `null`: the hub says that it was taken back. */
  hear = (value: unknown): void => {
    if (value === null) return this.end({ kind: 'withdrawn', why: 'E_HUB_WITHDREW' });
    const text = JSON.stringify(value);
    if (this.#counted === text) return undefined;
    if (this.#isOver || this.#counted !== undefined) return this.#refuse('E_NOT_PENDING');
    const { deciders } = this.#parts.keyFile;
    const checked = this.#check(value, deciders);
    if (!checked.ok) return this.#refuse(checked.code);
    this.#counted = text;
    void this.#count(checked.value);
  };

  #check(value: unknown, deciders: readonly Decider[]): ReturnType<typeof checkDecision> {
    const { levelNeeded } = this.#asking;
    return checkDecision(value, {
      ticket: this.#ticket,
      deciders,
      nowMs: this.#parts.nowMs(),
      levelNeeded,
    });
  }

  async #count(decision: Decision): Promise<void> {
    const { rule, key: decider, reason } = decision;
    const level =
      decision.desktop_level === undefined
        ? rule === 'human'
          ? { desktopLevel: 1 as const }
          : {}
        : { desktopLevel: decision.desktop_level };
    if (decision.verdict === 'denied')
      return this.end({
        kind: 'denied',
        rule,
        decider,
        ...level,
        ...(reason === undefined ? {} : { reason }),
      });
    if (this.#ticket.inputs === undefined) return this.end({ kind: 'approved', rule, decider, ...level });
    const values = (await this.#seal?.open(this.#ticket, decision.sealed ?? {})) ?? null;
    if (values === null) return this.#refuse('E_SEALED');
    if (this.#isOver) for (const value of values.values()) value.fill(0);
    return this.end({ kind: 'approved', rule, decider, ...level, values });
  }

  #refuse(code: DecisionCode): void {
    const { audit, note } = this.#parts;
    const { id } = this.#ticket;
    if (++this.#refusals <= RECORDED_PER_TICKET) {
      void audit('hub.refused', { ticket: id, code }).catch(() => undefined);
      note(`a decision for ticket ${id} does not count (${code})`);
    }
    if (isUnfit(code)) this.end({ kind: 'withdrawn', why: code });
  }
}

function whyNotOpen(error: unknown): string {
  if (error instanceof HubRefused)
    return `the hub refuses this console (${error.code}): make the key file anew where the hub runs`;
  if (error instanceof HubLost) return `the hub cannot be reached (${error.why}): start it first`;
  throw error;
}
