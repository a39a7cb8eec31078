// What `lox tickets`, `lox approve`, `lox deny` and `lox history` say to the running lox, one line each way over its
// private socket. Strict on both sides; used by control-server.ts and control-client.ts.
import { screenSchema, type Screen } from 'lockkit/approval';
import { isTicketId } from 'lockkit/tickets';
import { z } from 'zod';

export const CONTROL_LINE_BYTES = 8 * 1024 * 1024;

const id = z.string().refine(isTicketId);

const requestSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('tickets') }),
  z.strictObject({ kind: z.literal('history'), limit: z.int().min(1).max(500) }),
  z.strictObject({
    kind: z.literal('decide'),
    id,
    verdict: z.enum(['approved', 'denied']),
    /** Of the ticket that was shown: another one under the same id is not decided. */
    hash: z.string().regex(/^[0-9a-f]{64}$/),
    level: z.union([z.literal(1), z.literal(2), z.literal(3)]),
    reason: z.string().min(1).max(500).optional(),
  }),
]);

const ticketSchema = z.strictObject({
  id: z.string(),
  lock: z.string(),
  instance: z.string(),
  profile: z.string(),
  kind: z.string(),
  risk: z.string(),
  state: z.string(),
  since: z.string(),
  created_at: z.string(),
  expires_at: z.string(),
  hash: z.string(),
  has_inputs: z.boolean(),
  rule: z.string().optional(),
  reason: z.string().optional(),
  why: z.string().optional(),
  screen: screenSchema,
});

const replySchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('tickets'), tickets: z.array(ticketSchema), unverified: z.int() }),
  z.strictObject({ kind: z.literal('decided'), state: z.string() }),
  z.strictObject({ kind: z.literal('refused'), code: z.string() }),
]);

export type ControlRequest = z.infer<typeof requestSchema>;
export type ControlTicket = Omit<z.infer<typeof ticketSchema>, 'screen'> & { readonly screen: Screen };
export type ControlReply =
  | { readonly kind: 'tickets'; readonly tickets: readonly ControlTicket[]; readonly unverified: number }
  | { readonly kind: 'decided'; readonly state: string }
  | { readonly kind: 'refused'; readonly code: string };

export function parseRequest(line: Uint8Array): ControlRequest | null {
  return parse(requestSchema, line);
}

export function parseReply(line: Uint8Array): ControlReply | null {
  return parse(replySchema, line) as ControlReply | null;
}

function parse<T>(schema: z.ZodType<T>, line: Uint8Array): T | null {
  try {
    const parsed = schema.safeParse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(line)));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
