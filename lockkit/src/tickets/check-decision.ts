// Everything that a decision must be before it counts (docs/hub-protocol.md, section 5), in the order of the page.
// The hub calls checkSaying to tell mistakes early; the lock calls checkDecision, and only what that returns may move a
// ticket. Pure: time, keys and levels come in.
import { accepted, refused, type Outcome } from '../contract/outcome.js';
import {
  parseSignedDecision,
  verifyDecision,
  type Decision,
  type DeciderRole,
  type DesktopLevel,
  type SignedDecision,
} from './decision.js';
import { hashTicket, TICKET_LIMITS, type Ticket } from './ticket.js';

export interface Decider {
  readonly key: string;
  readonly role: DeciderRole;
}

/** Not by a decider: the ticket waits on. */
export type ForgeryCode =
  'E_BAD_DECISION' | 'E_UNKNOWN_DECIDER' | 'E_BAD_SIGNATURE' | 'E_OTHER_TICKET' | 'E_BAD_ROLE';
/** By a decider, but not acceptable: the ticket is withdrawn. */
export type UnfitCode = 'E_NEVER_AUTO' | 'E_OLD_DECISION' | 'E_LEVEL' | 'E_SEALED';
export type DecisionCode = ForgeryCode | UnfitCode | 'E_NOT_PENDING';

const UNFIT: readonly string[] = ['E_NEVER_AUTO', 'E_OLD_DECISION', 'E_LEVEL', 'E_SEALED'];

export function isUnfit(code: DecisionCode): code is UnfitCode {
  return UNFIT.includes(code);
}

/** What can be said about a decision without the lock's own knowledge. */
export function checkSaying(
  signed: SignedDecision,
  ticket: Ticket,
  deciders: readonly Decider[],
): Outcome<Decision, ForgeryCode | 'E_NEVER_AUTO'> {
  const { decision } = signed;
  const role = deciders.find(({ key }) => key === decision.key)?.role;
  if (role === undefined) return refused('E_UNKNOWN_DECIDER');
  if (!verifyDecision(signed)) return refused('E_BAD_SIGNATURE');
  if (decision.ticket !== ticket.id || decision.ticket_hash !== hashTicket(ticket))
    return refused('E_OTHER_TICKET');
  if (decision.rule !== (role === 'human' ? 'human' : `auto.${ticket.kind}`)) return refused('E_BAD_ROLE');
  if (role === 'auto' && decision.verdict === 'approved' && ticket.never_auto) return refused('E_NEVER_AUTO');
  return accepted(decision);
}

export interface LockKnowledge {
  /** The lock's own copy of the ticket that the decision came for. */
  readonly ticket: Ticket;
  readonly deciders: readonly Decider[];
  readonly nowMs: number;
  /** The lowest desktop level at which a human's approval of this ticket counts. */
  readonly levelNeeded: DesktopLevel;
}

/** `value` is whatever came over the hub. What is sealed is compared by name; opening it is the seal's. */
export function checkDecision(value: unknown, known: LockKnowledge): Outcome<Decision, DecisionCode> {
  const { ticket, nowMs } = known;
  const parsed = parseSignedDecision(value);
  if (!parsed.ok) return parsed;
  const said = checkSaying(parsed.value, ticket, known.deciders);
  if (!said.ok) return said;
  const decision = said.value;
  const decidedMs = Date.parse(decision.decided_at);
  const { clockSkewMs } = TICKET_LIMITS;
  if (decidedMs < Date.parse(ticket.created_at) - clockSkewMs || decidedMs > nowMs + clockSkewMs)
    return refused('E_OLD_DECISION');
  if (decision.verdict === 'denied') return said;
  if (decision.rule === 'human' && (decision.desktop_level ?? 1) < known.levelNeeded)
    return refused('E_LEVEL');
  return sealsAllInputs(decision, ticket) ? said : refused('E_SEALED');
}

function sealsAllInputs({ sealed = {} }: Decision, { inputs = [] }: Ticket): boolean {
  return (
    Object.keys(sealed).length === inputs.length && inputs.every(({ name }) => Object.hasOwn(sealed, name))
  );
}
