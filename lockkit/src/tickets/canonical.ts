// RFC 8785: the one spelling of a JSON value, which is what gets hashed and signed (docs/hub-protocol.md, section 1).
// Called by tickets, decisions and the hub's journal. Text without a UTF-8 form has none; wellFormed makes it visible.
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** Throws an Error for what has no canonical form (unpaired surrogates, no JSON). */
export function canonicalText(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new Error('a value without a canonical form');
  return text;
}

export function canonicalBytes(value: unknown): Buffer {
  return Buffer.from(canonicalText(value), 'utf8');
}

/** SHA-256, lower-case hex, of the canonical form. */
export function hashCanonical(value: unknown): string {
  return createHash('sha256').update(canonicalBytes(value)).digest('hex');
}

const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/**
 * The same value with every unpaired surrogate spelled out as `\u{D800}`: what an agent sent as text stays visible on
 * the screen, and the ticket that holds it can be signed.
 */
export function wellFormed<T>(value: T): T {
  return spellOut(value) as T;
}

function spellOut(value: unknown): unknown {
  if (typeof value === 'string')
    return value.replace(LONE_SURROGATE, (unit) => `\\u{${unit.charCodeAt(0).toString(16).toUpperCase()}}`);
  if (Array.isArray(value)) return value.map(spellOut);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, spellOut(one)]));
}
