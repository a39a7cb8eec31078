// What the hub keeps of one ticket and of one console, and how a ticket's state may change there (docs/hub-protocol.md,
// sections 2 and 8). Shared by the stores, the server and the clients. The hub's states follow the lock's.
import { z } from 'zod';
import { parseSignedDecision, type SignedDecision } from './decision.js';
import type { TicketState } from './ledger.js';
import { parseSignedTicket, type SignedTicket } from './signed-ticket.js';
import { keySchema, signatureSchema, timeSchema } from './wire-shapes.js';

const TICKET_STATES = ['pending', 'approved', 'denied', 'expired', 'withdrawn', 'used'] as const;
export type ClosingState = 'withdrawn' | 'expired' | 'used';

export interface HubEntry extends SignedTicket {
  /** Of its last change. */
  readonly seq: number;
  /** The console's key that it was posted under. */
  readonly key: string;
  readonly state: TicketState;
  readonly since: string;
  readonly decision?: SignedDecision;
  /** A code of the lock's: why it closed the ticket. */
  readonly why?: string;
}

/** An announced console. */
export interface HubConsole {
  readonly lock: string;
  readonly instance: string;
  readonly profile: string;
  readonly version: string;
  readonly key: string;
  readonly since: string;
}

export function isOpenState(state: TicketState): boolean {
  return state === 'pending' || state === 'approved';
}

/** `same`: it is there already, which answers as if it had just happened. */
export function decideClosing(from: TicketState, to: ClosingState): 'move' | 'same' | 'refuse' {
  if (from === to) return 'same';
  if (from === 'approved') return 'move';
  return from === 'pending' && to !== 'used' ? 'move' : 'refuse';
}

export const whySchema = z.string().regex(/^[A-Za-z0-9_]{1,40}$/);

export const consoleSchema = z.strictObject({
  lock: z.string().regex(/^[a-z][a-z0-9]{1,31}$/),
  instance: z.string().max(64),
  profile: z.string().min(1).max(64),
  version: z.string().min(1).max(64),
  key: keySchema,
  since: timeSchema,
});

const entrySchema = z.strictObject({
  seq: z.int().min(1),
  ticket: z.unknown(),
  signature: signatureSchema,
  key: keySchema,
  state: z.enum(TICKET_STATES),
  since: timeSchema,
  decision: z.unknown().optional(),
  why: whySchema.optional(),
});

/** An entry that came from a hub; null for anything that is not one. Nothing in it is believed yet. */
export function parseHubEntry(value: unknown): HubEntry | null {
  const parsed = entrySchema.safeParse(value);
  if (!parsed.success) return null;
  const { ticket, signature, decision, ...rest } = parsed.data;
  const signed = parseSignedTicket({ ticket, signature });
  const decided = decision === undefined ? undefined : parseSignedDecision(decision);
  if (!signed.ok || decided?.ok === false) return null;
  return { ...rest, ...signed.value, ...(decided ? { decision: decided.value } : {}) } as HubEntry;
}
