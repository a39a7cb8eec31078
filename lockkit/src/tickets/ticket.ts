// A ticket: one request that waits for a human, as data (docs/decisions.md, "Tickets and hub").
// Made by the console's desk, read by windows and the hub. It binds what is shown to what will run.
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Screen } from '../approval/screen.js';

export type TicketKind = 'connect' | 'run' | 'exec' | 'unmask' | 'plan' | 'policy';
export type Risk = 'read' | 'read-pii' | 'write' | 'prod-write';

export interface Ticket {
  readonly v: 1;
  /** `t_` and 16 characters of Crockford base32. */
  readonly id: string;
  readonly lock: string;
  readonly instance: string;
  readonly profile: string;
  readonly kind: TicketKind;
  readonly risk: Risk;
  /** Only a human may approve it; the lock itself refuses an automatic approval. */
  readonly never_auto: boolean;
  readonly screen: Screen;
  /** SHA-256 of the RFC 8785 form of what will run. */
  readonly subject_hash: string;
  readonly policy_fingerprint: string;
  readonly peer_uid: number;
  readonly audit_head: string;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  readonly expires_at: string;
}

export const TICKET_LIMITS = {
  /** To be decided; afterwards it is expired, never denied. */
  decideMs: 10 * 60_000,
  /** To be used, once approved. */
  useMs: 10 * 60_000,
} as const;

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** `bytes` gives that many random bytes: 10 of them make the 80 bits of an id. */
export function makeTicketId(bytes: (count: number) => Buffer): string {
  let bits = BigInt(`0x${bytes(10).toString('hex')}`);
  let text = '';
  for (let i = 0; i < 16; i++) {
    text = CROCKFORD[Number(bits & 31n)] + text;
    bits >>= 5n;
  }
  return `t_${text}`;
}

export function isTicketId(text: string): boolean {
  return /^t_[0-9A-HJKMNP-TV-Z]{16}$/.test(text);
}

/** The hash that binds a decision to one subject. */
export function hashSubject(subject: unknown): string {
  const form = canonicalize(subject);
  if (form === undefined) throw new Error('a subject must be JSON');
  return createHash('sha256').update(form).digest('hex');
}
