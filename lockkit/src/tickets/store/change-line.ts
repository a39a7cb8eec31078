// One change of the hub's record as a line: canonical JSON that names the hash of the line before it
// (docs/hub-protocol.md, section 10). Called by the embedded store to write and to read back.
import { z } from 'zod';
import { canonicalText, hashCanonical } from '../canonical.js';
import { parseSignedDecision, type SignedDecision } from '../decision.js';
import { consoleSchema, whySchema, type ClosingState, type HubConsole } from '../hub-entry.js';
import { parseSignedTicket, type SignedTicket } from '../signed-ticket.js';
import { hashSchema, idSchema, keySchema, timeSchema } from '../wire-shapes.js';

export type RecordedChange =
  | { readonly kind: 'console'; readonly owner: string; readonly console: HubConsole }
  | ({ readonly kind: 'ticket'; readonly owner: string; readonly key: string } & SignedTicket)
  | ({ readonly kind: 'decision'; readonly id: string } & SignedDecision)
  | { readonly kind: 'close'; readonly id: string; readonly state: ClosingState; readonly why?: string };

export interface ChangeLine {
  readonly seq: number;
  readonly time: string;
  readonly change: RecordedChange;
  readonly prev: string;
  readonly hash: string;
}

export const FIRST_PREV = '0'.repeat(64);

export function encodeChange(
  seq: number,
  now: Date,
  change: RecordedChange,
  prev: string,
): { readonly line: Buffer; readonly hash: string } {
  const body = { seq, time: now.toISOString(), change, prev };
  const hash = hashCanonical(body);
  return { line: Buffer.from(`${canonicalText({ ...body, hash })}\n`), hash };
}

const owner = z.string().min(1).max(256);
const changeSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('console'), owner, console: consoleSchema }),
  z.strictObject({
    kind: z.literal('ticket'),
    owner,
    key: keySchema,
    ticket: z.unknown(),
    signature: z.string(),
  }),
  z.strictObject({
    kind: z.literal('decision'),
    id: idSchema,
    decision: z.unknown(),
    signature: z.string(),
  }),
  z.strictObject({
    kind: z.literal('close'),
    id: idSchema,
    state: z.enum(['withdrawn', 'expired', 'used']),
    why: whySchema.optional(),
  }),
]);
const lineSchema = z.strictObject({
  seq: z.int().min(1),
  time: timeSchema,
  change: changeSchema,
  prev: hashSchema,
  hash: hashSchema,
});

/** null for anything that encodeChange did not write. The chain (`prev`, `seq`) is the caller's to hold. */
export function parseChange(line: Uint8Array): ChangeLine | null {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(line));
  } catch {
    return null;
  }
  const parsed = lineSchema.safeParse(value);
  if (!parsed.success) return null;
  const { hash, ...body } = parsed.data;
  if (!hasForm(parsed.data.change) || hashCanonical(body) !== hash) return null;
  return parsed.data as ChangeLine;
}

function hasForm(change: z.infer<typeof changeSchema>): boolean {
  if (change.kind === 'ticket')
    return parseSignedTicket({ ticket: change.ticket, signature: change.signature }).ok;
  if (change.kind === 'decision')
    return parseSignedDecision({ decision: change.decision, signature: change.signature }).ok;
  return true;
}
