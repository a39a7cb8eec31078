// lockkit/tickets: what waits for a human, as data, as states, and as signed and sealed messages.
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
  hashTicket,
  isTicketId,
  TICKET_LIMITS,
  type Risk,
  type Ticket,
  type TicketInput,
  type TicketKind,
} from './tickets/ticket.js';
export { makeSigningKey, signingKeyOf, type SigningKey } from './tickets/signing.js';
export { parseSignedTicket, signTicket, verifyTicket, type SignedTicket } from './tickets/signed-ticket.js';
export {
  parseSignedDecision,
  signDecision,
  verifyDecision,
  type Decision,
  type DeciderRole,
  type DesktopLevel,
  type SealedValue,
  type SignedDecision,
  type Verdict,
} from './tickets/decision.js';
export { checkDecision, type Decider, type DecisionCode } from './tickets/check-decision.js';
export { openSealKey, sealValue, type OpenedValues, type SealKey } from './tickets/seal.js';
export {
  decideByRules,
  parseProfileRules,
  type AutoVerdict,
  type ProfileRules,
} from './tickets/auto-rules.js';
