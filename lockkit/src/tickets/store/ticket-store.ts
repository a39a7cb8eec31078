// What a hub needs of its record, whatever keeps it: a file (embedded-store.ts) or a database (postgres-store.ts).
// Called by the hub server alone. Every promise of a change resolves after the change is on disk, and rejects with a
// StoreFault when nobody knows: the same call may then be made again.
import type { SignedDecision } from '../decision.js';
import type { ClosingState, HubConsole, HubEntry } from '../hub-entry.js';
import type { SignedTicket } from '../signed-ticket.js';
import type { Outcome } from '../../contract/outcome.js';

/** The record cannot be read or written now. Its message is for the human at the hub. */
export class StoreFault extends Error {
  override readonly name = 'StoreFault';
}

export interface OwnedEntry {
  readonly owner: string;
  readonly entry: HubEntry;
}

export type StoreChange =
  | { readonly kind: 'ticket'; readonly entry: HubEntry }
  | { readonly kind: 'console'; readonly seq: number; readonly console: HubConsole };

export interface PageQuery {
  readonly state: 'open' | 'closed' | 'all';
  /** `after`: ascending from there; `before`: descending. */
  readonly from: { readonly after: number } | { readonly before: number };
  readonly count: number;
}

export interface ChangesQuery {
  readonly after: number;
  readonly count: number;
  /** Only tickets of this owner, and no consoles. */
  readonly owner?: string;
}

export interface Posting extends SignedTicket {
  readonly owner: string;
  readonly key: string;
  readonly now: Date;
  /** Tickets of this owner that may wait at once. */
  readonly maxWaiting: number;
}

export type PostCode = 'E_DUPLICATE' | 'E_BUSY';
export type MoveCode = 'E_UNKNOWN_TICKET' | 'E_NOT_PENDING';

export interface TicketStore {
  /** The number of the last change; 0 in an empty record. */
  readonly head: () => Promise<number>;
  /** Keeps the console's key; another key than before withdraws what its earlier run had open. Gives the seq. */
  readonly announce: (owner: string, console: HubConsole) => Promise<number>;
  readonly consoleOf: (owner: string) => Promise<HubConsole | undefined>;
  readonly consoles: () => Promise<readonly HubConsole[]>;
  /** `isNew` false: the same ticket was posted before. */
  readonly post: (
    posting: Posting,
  ) => Promise<Outcome<{ readonly entry: HubEntry; readonly isNew: boolean }, PostCode>>;
  /** Only the first decision of a pending ticket that is not over. The same decision again is its entry. */
  readonly decide: (id: string, decision: SignedDecision, now: Date) => Promise<Outcome<HubEntry, MoveCode>>;
  readonly close: (closing: {
    readonly owner: string;
    readonly id: string;
    readonly state: ClosingState;
    readonly why?: string;
    readonly now: Date;
  }) => Promise<Outcome<HubEntry, MoveCode>>;
  /** Moves what is over by now to `expired`. */
  readonly expire: (now: Date) => Promise<void>;
  readonly find: (id: string) => Promise<OwnedEntry | undefined>;
  readonly page: (query: PageQuery) => Promise<readonly HubEntry[]>;
  /** In the order of seq; each ticket once, as it is now. */
  readonly changes: (query: ChangesQuery) => Promise<readonly StoreChange[]>;
  /** Something changed, perhaps; the returned function takes the listener off. */
  readonly onChange: (listener: () => void) => () => void;
  readonly shutDown: () => Promise<void>;
}
