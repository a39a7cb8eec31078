// What a decider with the role `auto` may say about a ticket, from the rules of the approved policy as
// `profile rules --json` prints them ("Auto rules" of the page). Called by lox. Pure; it never approves what the rules
// do not name, and the lock checks the result again.
import { z } from 'zod';
import type { Ticket } from './ticket.js';

const rulesSchema = z.object({
  profile: z.string(),
  production: z.boolean(),
  fingerprint: z.string(),
  auto: z.record(z.string(), z.enum(['auto', 'ask', 'deny'])),
  never_auto: z.array(z.string()),
});

/** Of one lock's profile; `fingerprint` is that of the policy they are part of. */
export type ProfileRules = z.infer<typeof rulesSchema>;

/** What a lock printed, or null when it is not that. */
export function parseProfileRules(value: unknown): ProfileRules | null {
  const parsed = rulesSchema.safeParse(value);
  return parsed.success ? parsed.data : null;
}

/** `ask`: leave it to a human. `rule` is what a decision names. */
export type AutoVerdict =
  { readonly kind: 'approve' | 'deny'; readonly rule: string } | { readonly kind: 'ask' };

/** The ticket was verified. Rules of another policy than the ticket's decide nothing. */
export function decideByRules(ticket: Ticket, rules: ProfileRules): AutoVerdict {
  const { kind, never_auto: neverAuto, policy_fingerprint: fingerprint } = ticket;
  if (ticket.profile !== rules.profile || fingerprint !== rules.fingerprint) return { kind: 'ask' };
  const said = Object.hasOwn(rules.auto, kind) ? rules.auto[kind] : 'ask';
  if (said === 'deny') return { kind: 'deny', rule: `auto.${kind}` };
  if (said !== 'auto' || neverAuto || rules.never_auto.includes(kind)) return { kind: 'ask' };
  // A write on production is a human's, whatever the rules of a policy say.
  if (ticket.risk === 'prod-write' || ticket.inputs !== undefined) return { kind: 'ask' };
  return { kind: 'approve', rule: `auto.${kind}` };
}
