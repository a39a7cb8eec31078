// A decision: what one decider said about one whole ticket, signed (docs/hub-protocol.md, section 4).
// Deciders sign; the hub looks, the lock verifies (check-decision.ts). Its shape is strict, its values sealed.
import { z } from 'zod';
import { accepted, refused, type Outcome } from '../contract/outcome.js';
import { signCanonical, verifyCanonical, type SigningKey } from './signing.js';
import { hashTicket, TICKET_KINDS, TICKET_LIMITS, type Ticket } from './ticket.js';
import { hashSchema, idSchema, keySchema, signatureSchema, timeSchema } from './wire-shapes.js';

export type Verdict = 'approved' | 'denied';
/** Whose hands hold a decider's key: a human's, or a program that applies rules. */
export type DeciderRole = 'human' | 'auto';
export type DesktopLevel = 1 | 2 | 3;

/** One value, sealed to the ticket's key (seal.ts). */
export interface SealedValue {
  readonly enc: string;
  readonly ct: string;
}

export interface Decision {
  readonly v: 1;
  readonly ticket: string;
  readonly ticket_hash: string;
  readonly verdict: Verdict;
  /** `human`, or `auto.` and the ticket's kind. */
  readonly rule: string;
  readonly decided_at: string;
  /** Of the window where a human typed; absent: unknown. */
  readonly desktop_level?: DesktopLevel;
  /** The human's words with a denial. */
  readonly reason?: string;
  readonly sealed?: Readonly<Record<string, SealedValue>>;
  /** The decider's public key. */
  readonly key: string;
}

export interface SignedDecision {
  readonly decision: Decision;
  readonly signature: string;
}

const base64url = z.string().regex(/^[A-Za-z0-9_-]+$/);
const sealedSchema = z.strictObject({ enc: keySchema, ct: base64url.max(1600) });

const decisionSchema = z
  .strictObject({
    v: z.literal(1),
    ticket: idSchema,
    ticket_hash: hashSchema,
    verdict: z.enum(['approved', 'denied']),
    rule: z.enum(['human', ...TICKET_KINDS.map((kind) => `auto.${kind}` as const)]),
    decided_at: timeSchema,
    desktop_level: z.union([z.literal(1), z.literal(2), z.literal(3)]).optional(),
    reason: z.string().min(1).max(TICKET_LIMITS.maxReasonCharacters).optional(),
    sealed: z
      .record(z.string().max(128), sealedSchema)
      .refine((sealed) => Object.keys(sealed).length <= TICKET_LIMITS.maxInputs)
      .optional(),
    key: keySchema,
  })
  .refine(({ verdict, reason, sealed }) =>
    verdict === 'approved' ? reason === undefined : sealed === undefined,
  );

const signedSchema = z.strictObject({ decision: decisionSchema, signature: signatureSchema });

export function parseSignedDecision(value: unknown): Outcome<SignedDecision, 'E_BAD_DECISION'> {
  const parsed = signedSchema.safeParse(value);
  return parsed.success ? accepted(parsed.data as SignedDecision) : refused('E_BAD_DECISION');
}

/** What a decider says; the rest of a decision comes from the ticket, the key and the clock. */
export interface Saying {
  readonly verdict: Verdict;
  readonly rule: string;
  readonly now: Date;
  readonly desktopLevel?: DesktopLevel;
  readonly reason?: string;
  readonly sealed?: Readonly<Record<string, SealedValue>>;
}

export function signDecision(ticket: Ticket, saying: Saying, decider: SigningKey): SignedDecision {
  const { verdict, rule, now, desktopLevel, reason, sealed } = saying;
  const decision: Decision = {
    v: 1,
    ticket: ticket.id,
    ticket_hash: hashTicket(ticket),
    verdict,
    rule,
    decided_at: now.toISOString(),
    ...(desktopLevel === undefined ? {} : { desktop_level: desktopLevel }),
    ...(reason === undefined ? {} : { reason }),
    ...(sealed === undefined ? {} : { sealed }),
    key: decider.key,
  };
  return { decision, signature: signCanonical('lockkit decision v1', decision, decider) };
}

/** The signature alone, by the key that the decision names. */
export function verifyDecision({ decision, signature }: SignedDecision): boolean {
  return verifyCanonical('lockkit decision v1', decision, decision.key, signature);
}
