// The embedded store's memory: where every ticket stands, from the changes alone. Open tickets are held whole, closed
// ones as places in the journal. Called by embedded-store.ts for changes that are on disk, never for others.
import { isOpenState, type HubConsole, type HubEntry } from '../hub-entry.js';
import type { TicketState } from '../ledger.js';
import { hashTicket, TICKET_LIMITS } from '../ticket.js';
import type { ChangeLine, RecordedChange } from './change-line.js';
import type { LinePlace } from './journal.js';
import { SeqOrder } from './seq-order.js';

/** A ticket as the memory knows it. */
export interface Row {
  readonly id: string;
  readonly owner: string;
  readonly key: string;
  readonly hash: string;
  readonly state: TicketState;
  readonly seq: number;
  readonly since: string;
  /** When an open ticket is over, in milliseconds. */
  readonly endsMs: number;
  readonly ticketPlace: LinePlace;
  readonly decisionPlace?: LinePlace;
  readonly why?: string;
  /** Held while the ticket is open. */
  readonly entry?: HubEntry;
}

export class HubState {
  readonly rows = new Map<string, Row>();
  readonly all = new SeqOrder();
  readonly open = new SeqOrder();
  readonly closed = new SeqOrder();
  readonly consoles = new Map<string, { readonly seq: number; readonly console: HubConsole }>();
  readonly #openOf = new Map<string, Set<string>>();
  head = 0;
  hash = '';

  openOf(owner: string): ReadonlySet<string> {
    return this.#openOf.get(owner) ?? new Set();
  }

  apply({ seq, time, change, hash }: ChangeLine, place: LinePlace): void {
    this.head = seq;
    this.hash = hash;
    if (change.kind === 'console') {
      this.consoles.set(change.owner, { seq, console: change.console });
      return;
    }
    const row =
      change.kind === 'ticket' ? rowOf(change, seq, time, place) : this.#moved(change, seq, time, place);
    this.#put(row);
  }

  #moved(
    change: Exclude<RecordedChange, { kind: 'console' | 'ticket' }>,
    seq: number,
    since: string,
    place: LinePlace,
  ): Row {
    const row = this.rows.get(change.id);
    if (row === undefined) throw new Error('a change of a ticket that is not there');
    const state = change.kind === 'decision' ? change.decision.verdict : change.state;
    const endsMs = state === 'approved' ? Date.parse(since) + TICKET_LIMITS.useMs : Infinity;
    const moved = { ...row, state, seq, since, endsMs };
    if (change.kind === 'decision') {
      const { decision, signature } = change;
      const entry = row.entry && { ...row.entry, state, seq, since, decision: { decision, signature } };
      return { ...moved, decisionPlace: place, ...(entry ? { entry } : {}) };
    }
    const why = change.why === undefined ? {} : { why: change.why };
    return { ...moved, ...why, ...(row.entry ? { entry: { ...row.entry, ...why, state, seq, since } } : {}) };
  }

  #put(row: Row): void {
    const { id, owner, seq } = row;
    const isOpen = isOpenState(row.state);
    // What is closed is read from the journal when someone asks for it.
    const { entry: _entry, ...bare } = row;
    this.rows.set(id, isOpen ? row : bare);
    this.all.put(id, seq);
    const mine = this.#openOf.get(owner) ?? new Set();
    if (isOpen) {
      this.open.put(id, seq);
      this.#openOf.set(owner, mine.add(id));
    } else {
      this.open.delete(id);
      this.closed.put(id, seq);
      mine.delete(id);
    }
  }
}

function rowOf(
  change: RecordedChange & { readonly kind: 'ticket' },
  seq: number,
  since: string,
  ticketPlace: LinePlace,
): Row {
  const { owner, key, ticket, signature } = change;
  const entry: HubEntry = { seq, ticket, signature, key, state: 'pending', since };
  const endsMs = Date.parse(ticket.expires_at);
  const { id } = ticket;
  return {
    id,
    owner,
    key,
    hash: hashTicket(ticket),
    state: 'pending',
    seq,
    since,
    endsMs,
    ticketPlace,
    entry,
  };
}
