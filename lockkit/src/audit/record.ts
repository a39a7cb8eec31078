// One record of the audit: a line of canonical JSON that names the hash of the line before it (docs/decisions.md,
// "Audit"). Called by the writer, the verifier and the display, so that all three agree on every byte.
// Never holds output, secrets or typed values: its caller gives every field masked.
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { cleanFields, type CleanValue } from './clean-fields.js';

/**
 * What happened. Fields beside the named ones go into the record as they are, cleaned (clean-fields.ts).
 * `opens` marks the start of something that must end, `closes` its end, by the same id: what a crash left open is
 * recorded at the next start as an end that nobody knows.
 */
export interface AuditEvent {
  /** Lower case words, dots between them. */
  readonly event: string;
  /** Default: the log's own. */
  readonly profile?: string | undefined;
  readonly opens?: string | undefined;
  readonly closes?: string | undefined;
  readonly [field: string]: unknown;
}

export interface AuditRecord {
  readonly v: 1;
  /** From 1, without a gap, over all files of the log. It is the order; `time` is only data. */
  readonly seq: number;
  readonly time: string;
  readonly event: string;
  readonly profile: string;
  readonly prev: string;
  readonly hash: string;
  readonly [field: string]: CleanValue;
}

/** The place in the chain: the last record's number and hash. */
export interface AuditHead {
  readonly seq: number;
  readonly hash: string;
}

export const EMPTY_HEAD: AuditHead = { seq: 0, hash: '0'.repeat(64) };

/** Longest line, its newline not counted. */
export const MAX_RECORD_BYTES = 65536;

const RESERVED = ['v', 'seq', 'time', 'prev', 'hash'];

/** An event with its fields cleaned: taken when it happened, numbered when it is written. */
export type CleanEvent = Readonly<Record<string, CleanValue>>;

/** Throws an Error for an event that no caller may send: a bad name, a field that the log itself fills. */
export function cleanEvent(event: AuditEvent): CleanEvent {
  if (!/^[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*$/.test(event.event))
    throw new Error('an audit event needs a name');
  for (const name of RESERVED) {
    if (Object.hasOwn(event, name)) throw new Error(`an audit event may not set ${name}`);
  }
  return cleanFields(event);
}

/** The line (without its newline) that follows `head`, and the head that it makes. */
export function encodeRecord(
  event: CleanEvent,
  head: AuditHead,
  time: Date,
): { line: Buffer; head: AuditHead } {
  const seq = head.seq + 1;
  const body = { ...boundEvent(event), v: 1, seq, time: time.toISOString(), prev: head.hash };
  const hash = hashOf(body);
  return { line: Buffer.from(toCanonical({ ...body, hash })), head: { seq, hash } };
}

/** SHA-256, hex, over the canonical form of a record without its `hash`. */
export function hashOf(body: object): string {
  return createHash('sha256').update(toCanonical(body)).digest('hex');
}

/** RFC 8785. Throws for what JSON cannot hold. */
export function toCanonical(value: object): string {
  const text = canonicalize(value);
  if (text === undefined) throw new Error('a value without a canonical form');
  return text;
}

/** An event too large for one record keeps its name and the hash of the rest: nothing is lost silently. */
function boundEvent(event: CleanEvent): CleanEvent {
  const text = toCanonical(event);
  const bytes = Buffer.byteLength(text);
  if (bytes <= MAX_RECORD_BYTES - 1024) return event;
  const named = ['event', 'profile', 'opens', 'closes'].filter((name) => Object.hasOwn(event, name));
  const kept = named.map((name) => [name, event[name] ?? null] as const);
  const sha256 = createHash('sha256').update(text).digest('hex');
  return { ...Object.fromEntries(kept), oversize: { bytes, sha256 } };
}
