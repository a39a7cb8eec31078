// The values a human types for a plugin's inputs, as bytes from the prompt to the plugin: checked against the
// input's kind and length, and written as the canonical JSON that stands on fd 6.
// Called when a plan with inputs is run. No value may become part of an error, a log or a JavaScript string.
import { isUtf8 } from 'node:buffer';
import type { InputKind, ManifestInput } from './manifest-inputs.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const AT = 0x40;
const DOT = 0x2e;
const HYPHEN = 0x2d;
const MAX_EMAIL_BYTES = 254;

/** Does the value fit its input? A false is E_INPUT_INVALID; it never says why. */
export function fitsInput(value: Uint8Array, input: Pick<ManifestInput, 'kind' | 'maxBytes'>): boolean {
  if (value.byteLength < 1 || value.byteLength > input.maxBytes || !isUtf8(value)) return false;
  return FITS[input.kind](value);
}

const FITS: Readonly<Record<InputKind, (value: Uint8Array) => boolean>> = {
  text: (value) => !value.some((byte, at) => isControl(byte, value[at + 1])),
  email: isEmail,
  digits: (value) => value.every(isDigit),
};

/** C0 and DEL; C1 is C2 80 to C2 9F in UTF-8. */
function isControl(byte: number, next: number | undefined): boolean {
  if (byte === 0xc2) return next !== undefined && next <= 0x9f;
  return byte < 0x20 || byte === 0x7f;
}

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
const isLetter = (byte: number): boolean => (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;

/** One plain address: an ASCII dot-atom, `@`, and a domain of two labels or more. */
function isEmail(value: Uint8Array): boolean {
  const at = value.indexOf(AT);
  if (at < 1 || at > 64 || value.byteLength > MAX_EMAIL_BYTES) return false;
  const domain = partsOf(value.subarray(at + 1));
  return (
    partsOf(value.subarray(0, at)).every((part) => part.byteLength > 0 && part.every(isAtext)) &&
    domain.length >= 2 &&
    domain.every(isLabel)
  );
}

function partsOf(value: Uint8Array): readonly Uint8Array[] {
  const parts: Uint8Array[] = [];
  let start = 0;
  for (let end = value.indexOf(DOT); end !== -1; end = value.indexOf(DOT, start)) {
    parts.push(value.subarray(start, end));
    start = end + 1;
  }
  return [...parts, value.subarray(start)];
}

const ATEXT_SIGNS = new Set(Buffer.from("!#$%&'*+-/=?^_`{|}~"));
const isAtext = (byte: number): boolean => isDigit(byte) || isLetter(byte) || ATEXT_SIGNS.has(byte);

function isLabel(part: Uint8Array): boolean {
  if (part.byteLength < 1 || part.byteLength > 63) return false;
  if (part[0] === HYPHEN || part[part.byteLength - 1] === HYPHEN) return false;
  return part.every((byte) => isDigit(byte) || isLetter(byte) || byte === HYPHEN);
}

/**
 * RFC 8785 JSON of an object of strings, keys sorted: `{"needle":"..."}`. Names are `[a-z0-9_]`, values have
 * passed `fitsInput`, so that only the quote and the backslash need an escape. The caller wipes what it gets.
 */
export function encodeInputs(values: ReadonlyMap<string, Uint8Array>): Buffer {
  const sorted = [...values].toSorted(([left], [right]) => (left < right ? -1 : 1));
  const members = sorted.map(([name, value], at) => [
    Buffer.from(`${at === 0 ? '' : ','}"${name}":"`),
    escapeBytes(value),
    Buffer.from('"'),
  ]);
  const json = Buffer.concat([Buffer.from('{'), ...members.flat(), Buffer.from('}')]);
  for (const [, escaped] of members) escaped?.fill(0);
  return json;
}

function escapeBytes(value: Uint8Array): Buffer {
  const isEscaped = (byte: number): boolean => byte === QUOTE || byte === BACKSLASH;
  const extra = value.reduce((count, byte) => count + (isEscaped(byte) ? 1 : 0), 0);
  const escaped = Buffer.alloc(value.byteLength + extra);
  let at = 0;
  for (const byte of value) {
    if (isEscaped(byte)) at = escaped.writeUInt8(BACKSLASH, at);
    at = escaped.writeUInt8(byte, at);
  }
  return escaped;
}
