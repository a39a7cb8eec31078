// The states of a console run's tickets: pending → approved | denied | expired | withdrawn, approved → used.
// Called by the console's desk only; it is the truth about what may run. Time and randomness come in; nothing here
// waits, asks or runs. It must never move a ticket backwards or use one twice.
import { accepted, refused, type Outcome } from '../contract/outcome.js';
import { makeTicketId, TICKET_LIMITS, type Ticket, type TicketKind } from './ticket.js';

export type TicketState = 'pending' | 'approved' | 'denied' | 'expired' | 'withdrawn' | 'used';

export interface Entry {
  readonly ticket: Ticket;
  /** Everything it was asked for: an approval covers these kinds and no other. */
  readonly kinds: readonly TicketKind[];
  readonly state: TicketState;
  /** Milliseconds of the clock, when the state began. */
  readonly sinceMs: number;
  /** `human` or the name of the auto rule, once decided. */
  readonly rule?: string;
}

export interface LedgerParts {
  readonly nowMs: () => number;
  readonly randomBytes: (count: number) => Buffer;
  /** Every change of state, expiry included, once. */
  readonly onMove?: (entry: Entry) => void;
}

export type TicketDraft = Omit<Ticket, 'v' | 'id' | 'created_at' | 'expires_at'>;

/** What a claim is held against: who asks, for what, under which policy. */
export interface Claim {
  readonly peerUid: number;
  readonly subjectHash: string;
  readonly fingerprint: string;
  /** What must be granted now; a ticket that was not asked for one of them is stale. */
  readonly kinds?: readonly TicketKind[];
}

export type ClaimCode = 'E_UNKNOWN_TICKET' | 'E_DENIED' | 'E_NO_ANSWER' | 'E_STALE';

/** Closed tickets that a run remembers; older ones read as unknown. The audit and the hub keep all. */
const MAX_CLOSED = 4096;

export class TicketLedger {
  readonly #parts: LedgerParts;
  readonly #open = new Map<string, Entry>();
  readonly #closed = new Map<string, Entry>();

  constructor(parts: LedgerParts) {
    this.#parts = parts;
  }

  open(draft: TicketDraft, kinds: readonly TicketKind[] = [draft.kind]): Ticket {
    const nowMs = this.#parts.nowMs();
    const id = makeTicketId(this.#parts.randomBytes);
    if (this.#open.has(id) || this.#closed.has(id)) throw new Error('a ticket id came twice');
    const ticket: Ticket = {
      v: 1,
      id,
      ...draft,
      created_at: new Date(nowMs).toISOString(),
      expires_at: new Date(nowMs + TICKET_LIMITS.decideMs).toISOString(),
    };
    this.#open.set(id, { ticket, kinds, state: 'pending', sinceMs: nowMs });
    return ticket;
  }

  /** The entry as it stands now; expiry is seen here, whoever looks first. */
  find(id: string): Entry | undefined {
    const entry = this.#open.get(id);
    return entry ? this.#expire(entry) : this.#closed.get(id);
  }

  /** true when the decision was taken; false when the ticket no longer waits for one. */
  decide(id: string, verdict: 'approved' | 'denied', rule: string): boolean {
    const entry = this.find(id);
    if (entry?.state !== 'pending') return false;
    if (verdict === 'approved' && entry.ticket.never_auto && rule !== 'human') return false;
    this.#move(entry, verdict, rule);
    return true;
  }

  /** Takes back what was not used: nobody waits for it any more, or its decision cannot count. */
  withdraw(id: string): boolean {
    const entry = this.find(id);
    if (entry?.state !== 'pending' && entry?.state !== 'approved') return false;
    this.#move(entry, 'withdrawn', entry.rule);
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
        return entry.ticket.policy_fingerprint === claim.fingerprint && covers(entry, claim)
          ? accepted(entry)
          : refused('E_STALE');
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
    return this.#openNow().find((entry) => matches(entry, claim));
  }

  waiting(peerUid?: number): readonly Entry[] {
    return this.#openNow().filter(
      ({ state, ticket }) => state === 'pending' && (peerUid === undefined || ticket.peer_uid === peerUid),
    );
  }

  /** Open ones and the latest closed ones, oldest first. */
  all(): readonly Entry[] {
    const open = this.#openNow();
    return [...this.#closed.values(), ...open].sort((a, b) =>
      a.ticket.created_at < b.ticket.created_at ? -1 : a.ticket.created_at > b.ticket.created_at ? 1 : 0,
    );
  }

  #openNow(): readonly Entry[] {
    return [...this.#open.values()].map((entry) => this.#expire(entry)).filter(isOpen);
  }

  #expire(entry: Entry): Entry {
    const lifeMs = entry.state === 'pending' ? TICKET_LIMITS.decideMs : TICKET_LIMITS.useMs;
    if (this.#parts.nowMs() - entry.sinceMs < lifeMs) return entry;
    return this.#move(entry, 'expired', entry.rule);
  }

  #move(entry: Entry, state: TicketState, rule?: string): Entry {
    const { ticket, kinds } = entry;
    const sinceMs = this.#parts.nowMs();
    const moved: Entry = { ticket, kinds, state, sinceMs, ...(rule === undefined ? {} : { rule }) };
    if (isOpen(moved)) this.#open.set(ticket.id, moved);
    else this.#close(moved);
    this.#parts.onMove?.(moved);
    return moved;
  }

  #close(entry: Entry): void {
    this.#open.delete(entry.ticket.id);
    this.#closed.set(entry.ticket.id, entry);
    const [oldest] = this.#closed.keys();
    if (this.#closed.size > MAX_CLOSED && oldest !== undefined) this.#closed.delete(oldest);
  }
}

function isOpen({ state }: Entry): boolean {
  return state === 'pending' || state === 'approved';
}

function covers({ kinds }: Entry, { kinds: needed = [] }: Claim): boolean {
  return needed.every((kind) => kinds.includes(kind));
}

function matches(entry: Entry, claim: Claim): boolean {
  const { ticket } = entry;
  return (
    ticket.peer_uid === claim.peerUid &&
    ticket.subject_hash === claim.subjectHash &&
    ticket.policy_fingerprint === claim.fingerprint &&
    covers(entry, claim)
  );
}
