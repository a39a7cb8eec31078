// Whether a line is the next record of the chain. Pure; called by the verifier and by the writer's start for every
// line, so that both read a log the same way. Compares bytes, not values: spaces, key order and twice-named keys show.
import { hashOf, MAX_RECORD_BYTES, toCanonical, type AuditHead, type AuditRecord } from './record.js';

export type LineFault = 'too_long' | 'not_a_record' | 'not_canonical' | 'sequence' | 'previous' | 'hash';

export type CheckedLine =
  | { readonly ok: true; readonly record: AuditRecord; readonly head: AuditHead }
  | { readonly ok: false; readonly fault: LineFault };

/** `line` without its newline. */
export function checkLine(head: AuditHead, line: Uint8Array): CheckedLine {
  if (line.length > MAX_RECORD_BYTES) return { ok: false, fault: 'too_long' };
  const text = decode(line);
  const record = text === null ? null : parseRecord(text);
  if (text === null || record === null) return { ok: false, fault: 'not_a_record' };
  const fault = findFault(head, text, record);
  if (fault !== null) return { ok: false, fault };
  return { ok: true, record, head: { seq: record.seq, hash: record.hash } };
}

function findFault(head: AuditHead, text: string, record: AuditRecord): LineFault | null {
  if (canonicalOrNull(record) !== text) return 'not_canonical';
  if (record.seq !== head.seq + 1) return 'sequence';
  if (record.prev !== head.hash) return 'previous';
  const { hash, ...body } = record;
  return hashOf(body) === hash ? null : 'hash';
}

function decode(line: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(line);
  } catch {
    return null;
  }
}

function parseRecord(text: string): AuditRecord | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  return isRecord(value) ? value : null;
}

function isRecord(value: unknown): value is AuditRecord {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const fields = value as Record<string, unknown>;
  const strings = ['time', 'event', 'profile', 'prev', 'hash'].every(
    (name) => typeof fields[name] === 'string',
  );
  return strings && fields['v'] === 1 && Number.isSafeInteger(fields['seq']);
}

/** Text from outside may hold what has no canonical form, an unpaired surrogate in an escape for example. */
function canonicalOrNull(record: AuditRecord): string | null {
  try {
    return toCanonical(record);
  } catch {
    return null;
  }
}
