// A ticket as it crosses the hub: its strict shape, and the console's signature over all of it (docs/hub-protocol.md,
// section 2). The console signs; the hub and every decider verify before anything of it is shown.
import { z } from 'zod';
import { screenSchema } from '../approval/screen.js';
import { accepted, refused, type Outcome } from '../contract/outcome.js';
import { signCanonical, verifyCanonical, type SigningKey } from './signing.js';
import { idSchema, hashSchema, keySchema, signatureSchema, timeSchema } from './wire-shapes.js';
import { INPUT_KINDS, RISKS, TICKET_KINDS, TICKET_LIMITS, type Ticket } from './ticket.js';

export interface SignedTicket {
  readonly ticket: Ticket;
  readonly signature: string;
}

const inputSchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,127}$/),
  placeholder: z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/),
  kind: z.enum(INPUT_KINDS),
  max_bytes: z.int().min(1).max(TICKET_LIMITS.maxInputBytes),
});

const ticketSchema = z
  .strictObject({
    v: z.literal(1),
    id: idSchema,
    lock: z.string().regex(/^[a-z][a-z0-9]{1,31}$/),
    instance: z.string().max(64),
    profile: z.string().min(1).max(64),
    kind: z.enum(TICKET_KINDS),
    risk: z.enum(RISKS),
    never_auto: z.boolean(),
    screen: screenSchema,
    inputs: z.array(inputSchema).min(1).max(TICKET_LIMITS.maxInputs).optional(),
    subject_hash: hashSchema,
    policy_fingerprint: hashSchema,
    peer_uid: z.int().min(0).max(0xffff_fffe),
    audit_head: z.string().regex(/^[0-9]{1,16}:[0-9a-f]{64}$/),
    seal_key: keySchema.optional(),
    created_at: timeSchema,
    expires_at: timeSchema,
  })
  .refine(holdsTogether);

/** What must hold between the keys of a ticket. */
function holdsTogether(ticket: {
  readonly inputs?: readonly { readonly name: string }[] | undefined;
  readonly seal_key?: string | undefined;
  readonly never_auto: boolean;
  readonly created_at: string;
  readonly expires_at: string;
}): boolean {
  const { inputs, seal_key: sealKey } = ticket;
  const lifeMs = Date.parse(ticket.expires_at) - Date.parse(ticket.created_at);
  if (lifeMs <= 0 || lifeMs > TICKET_LIMITS.decideMs) return false;
  if (inputs === undefined) return sealKey === undefined;
  return (
    sealKey !== undefined &&
    ticket.never_auto &&
    new Set(inputs.map(({ name }) => name)).size === inputs.length
  );
}

const signedSchema = z.strictObject({ ticket: ticketSchema, signature: signatureSchema });

/** The shape alone; whose signature it is says verifyTicket. */
export function parseSignedTicket(value: unknown): Outcome<SignedTicket, 'E_BAD_REQUEST'> {
  const parsed = signedSchema.safeParse(value);
  return parsed.success ? accepted(parsed.data as SignedTicket) : refused('E_BAD_REQUEST');
}

export function signTicket(ticket: Ticket, console: SigningKey): SignedTicket {
  return { ticket, signature: signCanonical('lockkit ticket v1', ticket, console) };
}

export function verifyTicket({ ticket, signature }: SignedTicket, consoleKey: string): boolean {
  return verifyCanonical('lockkit ticket v1', ticket, consoleKey, signature);
}
