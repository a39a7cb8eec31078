// lockkit/tickets: what waits for a human, as data and as states.
export {
  TicketLedger,
  type Claim,
  type ClaimCode,
  type Entry,
  type TicketDraft,
  type TicketState,
} from './tickets/ledger.js';
export {
  hashSubject,
  isTicketId,
  TICKET_LIMITS,
  type Risk,
  type Ticket,
  type TicketKind,
} from './tickets/ticket.js';
