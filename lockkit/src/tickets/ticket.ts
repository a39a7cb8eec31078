// A ticket: one request that waits for a human, as data (docs/decisions.md, "Tickets and hub"; docs/hub-protocol.md,
// section 2). Made by the console's desk, read by windows and the hub. It binds what is shown to what will run.
import type { Screen } from '../approval/screen.js';
import { hashCanonical } from './canonical.js';

export const TICKET_KINDS = ['connect', 'run', 'exec', 'unmask', 'plan', 'policy'] as const;
export const RISKS = ['read', 'read-pii', 'write', 'prod-write'] as const;
export const INPUT_KINDS = ['text', 'email', 'digits'] as const;
export type TicketKind = (typeof TICKET_KINDS)[number];
export type Risk = (typeof RISKS)[number];

/** A value that the human types when approving. */
export interface TicketInput {
  /** Unique in the ticket. */
  readonly name: string;
  /** What the agent bound it to, without `${}`; inputs of one placeholder are typed once. */
  readonly placeholder: string;
  readonly kind: (typeof INPUT_KINDS)[number];
  readonly max_bytes: number;
}

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
  readonly inputs?: readonly TicketInput[];
  /** SHA-256 of the RFC 8785 form of what will run. */
  readonly subject_hash: string;
  readonly policy_fingerprint: string;
  readonly peer_uid: number;
  /** `<number>:<hash>` of the last record of the lock's audit. */
  readonly audit_head: string;
  /** X25519, base64url: the one-use key that typed values are sealed to. With inputs only. */
  readonly seal_key?: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly created_at: string;
  readonly expires_at: string;
}

export const TICKET_LIMITS = {
  /** To be decided; afterwards it is expired, never denied. */
  decideMs: 10 * 60_000,
  /** To be used, once approved. */
  useMs: 10 * 60_000,
  maxInputs: 64,
  maxInputBytes: 1024,
  maxReasonCharacters: 500,
  /** How far the clocks of a decider and a lock may differ. */
  clockSkewMs: 2 * 60_000,
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

/** The hash that binds a decision to one subject. Throws an Error for what has no canonical form. */
export function hashSubject(subject: unknown): string {
  return hashCanonical(subject);
}

/** The hash of the whole ticket: what a decision is signed over. */
export function hashTicket(ticket: Ticket): string {
  return hashCanonical(ticket);
}
