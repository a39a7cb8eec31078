// The states of a console run's tickets: pending → approved | denied | expired | withdrawn, approved → used.
// Called by the console's desk only. Time and randomness come in; nothing here waits, asks or runs.
import { accepted, refused, type Outcome } from '../contract/outcome.js';
import { makeTicketId, TICKET_LIMITS, type Ticket } from './ticket.js';

export type TicketState = 'pending' | 'approved' | 'denied' | 'expired' | 'withdrawn' | 'used';

export interface Entry {
  readonly ticket: Ticket;
  readonly state: TicketState;
  /** Milliseconds of the clock, when the state began. */
  readonly sinceMs: number;
  /** `human` or the name of the auto rule, once decided. */
  readonly rule?: string;
}

export interface LedgerParts {
  readonly nowMs: () => number;
  readonly randomBytes: (count: number) => Buffer;
}

export type TicketDraft = Omit<Ticket, 'v' | 'id' | 'created_at' | 'expires_at'>;

/** What a claim is held against: who asks, for what, under which policy. */
export interface Claim {
  readonly peerUid: number;
  readonly subjectHash: string;
  readonly fingerprint: string;
}

export type ClaimCode = 'E_UNKNOWN_TICKET' | 'E_DENIED' | 'E_NO_ANSWER' | 'E_STALE';

export class TicketLedger {
  readonly #parts: LedgerParts;
  readonly #entries = new Map<string, Entry>();

  constructor(parts: LedgerParts) {
    this.#parts = parts;
  }

  open(draft: TicketDraft): Ticket {
    const nowMs = this.#parts.nowMs();
    const id = makeTicketId(this.#parts.randomBytes);
    if (this.#entries.has(id)) throw new Error('a ticket id came twice');
    const ticket: Ticket = {
      v: 1,
      id,
      ...draft,
      created_at: new Date(nowMs).toISOString(),
      expires_at: new Date(nowMs + TICKET_LIMITS.decideMs).toISOString(),
    };
    this.#entries.set(id, { ticket, state: 'pending', sinceMs: nowMs });
    return ticket;
  }

  /** The entry as it stands now; expiry is seen here, whoever looks first. */
  find(id: string): Entry | undefined {
    const entry = this.#entries.get(id);
    return entry && this.#expire(entry);
  }

  /** true when the decision was taken; false when the ticket no longer waits for one. */
  decide(id: string, verdict: 'approved' | 'denied', rule: string): boolean {
    const entry = this.find(id);
    if (entry?.state !== 'pending') return false;
    if (verdict === 'approved' && entry.ticket.never_auto && rule !== 'human') return false;
    this.#move(entry, verdict, rule);
    return true;
  }

  withdraw(id: string): boolean {
    const entry = this.find(id);
    if (entry?.state !== 'pending') return false;
    this.#move(entry, 'withdrawn');
    return true;
  }

  /** Who may use the ticket and whether it is decided, without using it. `pending` is a value, not a refusal. */
  check(id: string, claim: Claim): Outcome<Entry, ClaimCode> {
    const entry = this.find(id);
    if (!entry || entry.ticket.peer_uid !== claim.peerUid || entry.ticket.subject_hash !== claim.subjectHash)
      return refused('E_UNKNOWN_TICKET');
    switch (entry.state) {
      case 'denied':
        return refused('E_DENIED');
      case 'expired':
        return refused(entry.rule === undefined ? 'E_NO_ANSWER' : 'E_UNKNOWN_TICKET');
      case 'used':
      case 'withdrawn':
        return refused('E_UNKNOWN_TICKET');
      default:
        return entry.ticket.policy_fingerprint === claim.fingerprint ? accepted(entry) : refused('E_STALE');
    }
  }

  /** Uses an approved ticket, once: the check and the change of state are one step. */
  use(id: string, claim: Claim): Outcome<Ticket, ClaimCode> {
    const checked = this.check(id, claim);
    if (!checked.ok) return checked;
    if (checked.value.state !== 'approved') return refused('E_UNKNOWN_TICKET');
    this.#move(checked.value, 'used', checked.value.rule);
    return accepted(checked.value.ticket);
  }

  /** A pending or approved ticket of the same asker for the same thing under the same policy. */
  findOpen(claim: Claim): Entry | undefined {
    for (const id of this.#entries.keys()) {
      const entry = this.find(id);
      const open = entry?.state === 'pending' || entry?.state === 'approved';
      if (entry && open && matches(entry.ticket, claim)) return entry;
    }
    return undefined;
  }

  waiting(peerUid?: number): readonly Entry[] {
    return this.all().filter(
      ({ state, ticket }) => state === 'pending' && (peerUid === undefined || ticket.peer_uid === peerUid),
    );
  }

  all(): readonly Entry[] {
    return [...this.#entries.values()].map((entry) => this.#expire(entry));
  }

  #expire(entry: Entry): Entry {
    const lifeMs =
      entry.state === 'pending'
        ? TICKET_LIMITS.decideMs
        : entry.state === 'approved'
          ? TICKET_LIMITS.useMs
          : Infinity;
    if (this.#parts.nowMs() - entry.sinceMs < lifeMs) return entry;
    return this.#move(entry, 'expired', entry.rule);
  }

  #move(entry: Entry, state: TicketState, rule?: string): Entry {
    const moved: Entry = {
      ticket: entry.ticket,
      state,
      sinceMs: this.#parts.nowMs(),
      ...(rule === undefined ? {} : { rule }),
    };
    this.#entries.set(entry.ticket.id, moved);
    return moved;
  }
}

function matches(ticket: Ticket, claim: Claim): boolean {
  return (
    ticket.peer_uid === claim.peerUid &&
    ticket.subject_hash === claim.subjectHash &&
    ticket.policy_fingerprint === claim.fingerprint
  );
}
