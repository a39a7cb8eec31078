// From "this must be asked" to a decided ticket: opens it, records it, has it decided, keeps what was typed for it.
// Called by the effect desk alone. A decision is on disk before the ticket's state moves; a ticket that cannot be put
// before anybody is withdrawn, and its request refused.
import type { Question } from '../approval/question.js';
import type { Screen } from '../approval/screen.js';
import { WIRE_LIMITS } from '../rpc/limits.js';
import { wellFormed } from '../tickets/canonical.js';
import type { DesktopLevel } from '../tickets/decision.js';
import type { Claim, Entry, TicketLedger } from '../tickets/ledger.js';
import type { OpenedValues } from '../tickets/seal.js';
import { TICKET_LIMITS, type Ticket, type TicketKind } from '../tickets/ticket.js';
import type { Call, Effect, Need } from './lock-type.js';
import { originLines, peerFields } from './peer-info.js';
import type { TicketDecider, TicketVerdict } from './ticket-decider.js';

export interface TicketDeskParts<P> {
  readonly lock: string;
  readonly profile: string;
  readonly instance: string;
  readonly production: (policy: P) => boolean;
  readonly demo: boolean;
  readonly decider: TicketDecider;
  readonly ledger: TicketLedger;
  readonly audit: (event: string, fields: Readonly<Record<string, unknown>>) => Promise<void>;
  readonly auditHead: () => string;
  readonly nowMs: () => number;
  /** The lowest desktop level at which a human's approval on production counts. */
  readonly productionLevel: DesktopLevel;
}

export interface TicketWish<P> {
  readonly effect: Effect;
  readonly asked: readonly Need[];
  readonly call: Call<P>;
  readonly claim: Claim;
  readonly intent: string | undefined;
  /** The client waits in the same call; when it leaves, the question is withdrawn. */
  readonly waits: boolean;
}

export class TicketDesk<P> {
  readonly #parts: TicketDeskParts<P>;
  readonly #denied = new Map<string, number>();
  readonly #decisions = new Map<string, Promise<void>>();
  readonly #values = new Map<string, OpenedValues>();

  constructor(parts: TicketDeskParts<P>) {
    this.#parts = parts;
  }

  /** What of the needs must be asked: `auto` outside the rules is a ticket too where deciders apply rules. */
  askedOf(needs: readonly Need[]): readonly Need[] {
    const byRule = this.#parts.decider.kind === 'hub';
    return needs.filter(({ rule, kind }) => rule === 'ask' || (byRule && rule === 'auto' && kind !== 'run'));
  }

  /** An open ticket for this, or a new one. `busy`: too many wait; `unreachable`: nobody can decide. */
  async open(wish: TicketWish<P>): Promise<Entry | 'busy' | 'unreachable'> {
    const { ledger, audit, decider } = this.#parts;
    const sealKey = wish.effect.inputs && (await decider.makeSealKey?.());
    // In one step from here to the ledger: two requests at once are one ticket, or two that were counted.
    const known = ledger.findOpen(wish.claim);
    if (known) return known;
    const { peer } = wish.call;
    if (ledger.waiting(peer.uid).length >= WIRE_LIMITS.waitingPerPeer) return 'busy';
    const kinds = wish.asked.map(({ kind }) => kind);
    const ticket = this.#openTicket(wish, kinds, sealKey);
    const { risk } = ticket;
    const recorded = audit('ticket.open', {
      ...peerFields(peer),
      ticket: ticket.id,
      kinds,
      risk,
      ...wish.effect.record,
    });
    const asked = recorded.then(() => this.#ask(ticket, wish));
    const decided = asked.then((asking) => asking?.decided);
    this.#decisions.set(ticket.id, decided);
    void decided.catch(() => undefined).finally(() => this.#decisions.delete(ticket.id));
    if ((await asked) === null) return 'unreachable';
    return ledger.find(ticket.id) as Entry;
  }

  /** Resolves when the ticket is no longer being decided; rejects where the decision could not be recorded. */
  async decided(id: string): Promise<void> {
    await this.#decisions.get(id);
  }

  wasDenied(claim: Claim): boolean {
    const sinceMs = this.#denied.get(deniedKey(claim));
    if (sinceMs === undefined) return false;
    if (this.#parts.nowMs() - sinceMs < WIRE_LIMITS.deniedMs) return true;
    this.#denied.delete(deniedKey(claim));
    return false;
  }

  /** The ticket was used: what was typed for it, which the caller wipes. */
  used(ticket: Ticket): OpenedValues | undefined {
    this.#parts.decider.ended(ticket, 'used');
    const values = this.#values.get(ticket.id);
    this.#values.delete(ticket.id);
    return values;
  }

  /** Wipes what was typed for tickets that can no longer be used, and forgets old denials. */
  sweep(): void {
    for (const [id, values] of this.#values) {
      if (this.#parts.ledger.find(id)?.state === 'approved') continue;
      wipe(values);
      this.#values.delete(id);
    }
    const nowMs = this.#parts.nowMs();
    for (const [key, sinceMs] of this.#denied)
      if (nowMs - sinceMs >= WIRE_LIMITS.deniedMs) this.#denied.delete(key);
  }

  close(): void {
    for (const values of this.#values.values()) wipe(values);
    this.#values.clear();
  }

  #openTicket(wish: TicketWish<P>, kinds: readonly TicketKind[], sealKey: string | undefined): Ticket {
    const { ledger, lock, profile, instance, auditHead } = this.#parts;
    const { effect, asked, call, claim } = wish;
    const inputs = sealKey === undefined ? undefined : effect.inputs;
    const neverAuto = asked.some((need) => need.rule === 'ask' || need.neverAuto === true);
    return ledger.open(
      {
        lock,
        instance,
        profile,
        kind: kinds.at(-1) as TicketKind,
        risk: effect.risk,
        never_auto: neverAuto || inputs !== undefined,
        // A ticket is signed, and only well-formed text can be.
        screen: wellFormed(this.#completeScreen(effect.screen(asked), call, wish.intent)),
        ...(inputs === undefined ? {} : { inputs }),
        subject_hash: claim.subjectHash,
        policy_fingerprint: claim.fingerprint,
        peer_uid: call.peer.uid,
        audit_head: auditHead(),
        ...(sealKey === undefined ? {} : { seal_key: sealKey }),
      },
      kinds,
    );
  }

  /** null: it could not be put before anybody. */
  async #ask(ticket: Ticket, wish: TicketWish<P>): Promise<{ readonly decided: Promise<void> } | null> {
    const { decider, ledger, audit } = this.#parts;
    const { waits, call, claim } = wish;
    const asking = await decider.ask(ticket, {
      timeoutMs: waits ? WIRE_LIMITS.answerMs : TICKET_LIMITS.decideMs,
      levelNeeded: this.#levelNeeded(wish),
      ...(waits ? { signal: call.signal } : {}),
    });
    if (asking !== 'unreachable')
      return { decided: asking.verdict.then((verdict) => this.#take(ticket, verdict, claim, waits)) };
    await audit('ticket.withdrawn', { ticket: ticket.id, why: 'E_NO_HUB' });
    ledger.withdraw(ticket.id);
    return null;
  }

  async #take(ticket: Ticket, verdict: TicketVerdict, claim: Claim, waits: boolean): Promise<void> {
    const { ledger, audit, decider } = this.#parts;
    // Nobody answered: the ticket expires by its own time, it is never denied for that.
    if (verdict.kind === 'no_answer' && !waits) return;
    const state = verdict.kind === 'no_answer' ? 'withdrawn' : verdict.kind;
    // The decision is on disk before anything can run by it.
    await audit(`ticket.${state}`, { ticket: ticket.id, ...recordOf(verdict) });
    if (verdict.kind === 'approved' || verdict.kind === 'denied') {
      const counts = ledger.decide(ticket.id, verdict.kind, verdict.rule);
      if (!counts) await audit('ticket.not_decided', { ticket: ticket.id, code: 'E_NOT_PENDING' });
      if (counts && verdict.kind === 'denied') this.#denied.set(deniedKey(claim), this.#parts.nowMs());
      if (verdict.kind !== 'approved' || verdict.values === undefined) return;
      if (counts) this.#values.set(ticket.id, verdict.values);
      else wipe(verdict.values);
      return;
    }
    ledger.withdraw(ticket.id);
    decider.ended(ticket, 'withdrawn', verdict.kind === 'withdrawn' ? verdict.why : undefined);
  }

  /** Clear text is a human's at level 3; production where root allowed a lower one. */
  #levelNeeded({ asked, call }: TicketWish<P>): DesktopLevel {
    if (asked.some(({ kind }) => kind === 'unmask')) return 3;
    const { production, productionLevel } = this.#parts;
    return production(call.policy.value) ? productionLevel : 1;
  }

  #completeScreen(screen: Screen, call: Call<P>, intent: string | undefined): Screen {
    return {
      ...screen,
      demo: this.#parts.demo,
      origin: originLines(call.peer, intent),
      question: this.#question(call),
    };
  }

  #question(call: Call<P>): Question {
    const { production, profile } = this.#parts;
    if (!production(call.policy.value)) return { kind: 'yes_no' };
    return {
      kind: 'typed',
      prompt: ['PRODUCTION: type the profile’s name to approve, n REASON to deny'],
      expected: profile,
    };
  }
}

function recordOf(verdict: TicketVerdict): Readonly<Record<string, unknown>> {
  if (verdict.kind === 'no_answer') return { why: 'no_answer' };
  if (verdict.kind === 'withdrawn') return verdict.why === undefined ? {} : { why: verdict.why };
  const { rule, desktopLevel, decider } = verdict;
  return {
    rule,
    ...(desktopLevel === undefined ? {} : { desktop_level: desktopLevel }),
    ...(decider === undefined ? {} : { decider }),
    ...(verdict.kind === 'denied' && verdict.reason !== undefined ? { reason: verdict.reason } : {}),
  };
}

function wipe(values: OpenedValues): void {
  for (const value of values.values()) value.fill(0);
}

function deniedKey({ peerUid, subjectHash, fingerprint }: Claim): string {
  return `${peerUid} ${subjectHash} ${fingerprint}`;
}
