// Credentials in HTTP headers: Authorization in any scheme, cookies, key headers. The name of the header, the scheme
// and the attributes of a cookie stay readable. Hangs on the header names.
import { isWord } from '../../characters.js';
import type { Emit, View } from '../../detector.js';
import { isBlankOrReference, isSample, isTypeName } from './not-a-secret.js';
import type { SecretFinder, SecretLook } from './secret-finder.js';

const HEADERS = ['authorization', 'cookie', 'bearer '] as const;
const MAX_HEADER = 16_384;
const START = /^\\*["']?\s?(?:=>|[:=])\s?\\*["'[]{0,2}\s?/;
const SCHEME =
  /^(?:basic|bearer|token|digest|negotiate|ntlm|hoba|mutual|apikey|api-key|aws4-hmac-sha256|scram-sha-\d+|key|oauth|pve[a-z]*token=)[ \t]+/i;
/** A token of RFC 9110. */
const COOKIE_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const COOKIE_ATTRIBUTE =
  /^(?:path|domain|expires|max-age|samesite|httponly|secure|priority|partitioned|version)$/i;

export const headers: SecretFinder = { literals: HEADERS, open: openHeaders };

function openHeaders(view: View, emit: Emit): SecretLook {
  let seen = 0;
  return {
    literal: (index, start, end) => {
      if (start < seen) return;
      const kind = HEADERS[index];
      if (kind === 'bearer ') seen = bearer(view, start, end, emit);
      else seen = header(view, end, emit, kind === 'cookie' ? cookie : authorization);
    },
  };
}

type ReadHeader = (view: View, start: number, end: number, emit: Emit) => void;

function header(view: View, nameEnd: number, emit: Emit, read: ReadHeader): number {
  const start = START.exec(view.text.slice(nameEnd, nameEnd + 16))?.[0];
  if (start === undefined) return nameEnd;
  const from = nameEnd + start.length;
  const to = headerEnd(view, from, openQuote(view, nameEnd, from));
  read(view, from, to, emit);
  return to;
}

/** The quote that encloses the header's value, or the whole header (`-H "Authorization: …"`). */
function openQuote(view: View, nameEnd: number, from: number): number | undefined {
  for (let at = from - 1; at >= nameEnd; at--) {
    const byte = view.bytes[at];
    if (byte === 0x22 || byte === 0x27) return byte;
  }
  const before = view.text.slice(Math.max(0, nameEnd - 24), nameEnd);
  const quote = /["'](?:proxy-|set-)?(?:authorization|cookie2?)$/i.exec(before)?.[0][0];
  return quote === undefined ? undefined : quote.charCodeAt(0);
}

function headerEnd(view: View, from: number, quote: number | undefined): number {
  const limit = Math.min(view.length, from + MAX_HEADER);
  let at = from;
  while (at < limit) {
    const byte = view.bytes[at];
    if (byte === 0x0a || byte === 0x0d) break;
    if (quote !== undefined && byte === quote) break;
    at += 1;
  }
  while (at > from && (view.bytes[at - 1] === 0x5c || view.bytes[at - 1] === 0x20)) at -= 1;
  return at;
}

function authorization(view: View, from: number, to: number, emit: Emit): void {
  const text = view.text.slice(from, to);
  const scheme = SCHEME.exec(text)?.[0] ?? '';
  const credential = text.slice(scheme.length);
  const bare = /^[\w+/=.~:%-]+$/.test(credential) || scheme !== '';
  const value = bare ? credential : (/^\S+/.exec(credential)?.[0] ?? '');
  if (isCredential(value))
    emit(from + scheme.length, from + scheme.length + value.length, 'authorization header');
}

function cookie(view: View, from: number, to: number, emit: Emit): void {
  let start = from;
  for (const pair of view.text.slice(from, to).split(';')) {
    const equals = pair.indexOf('=');
    const name = pair.slice(0, Math.max(0, equals)).trim();
    const value = pair.slice(equals + 1).trim();
    if (COOKIE_NAME.test(name) && !COOKIE_ATTRIBUTE.test(name) && !isBlankOrReference(value)) {
      const valueFrom = start + pair.indexOf(value, equals + 1);
      emit(valueFrom, valueFrom + value.length, 'cookie');
    }
    start += pair.length + 1;
  }
}

/** `Bearer abc…` without a header's name: only what looks like a token. */
function bearer(view: View, start: number, end: number, emit: Emit): number {
  if (isWord(view.bytes[start - 1])) return end;
  const token = /^[\w+/=.~-]{12,4096}/.exec(view.text.slice(end, end + 4097))?.[0];
  if (token === undefined || !/\d/.test(token) || isSample(token, 2.5)) return end;
  emit(end, end + token.length, 'bearer token');
  return end + token.length;
}

function isCredential(text: string): boolean {
  const value = text.replace(/[,;]$/, '');
  return (
    !isTypeName(value, ';') &&
    value.length >= 3 &&
    !isBlankOrReference(value) &&
    !isSample(value, 1.5) &&
    !/[${]\{?[A-Za-z_]/.test(value.slice(0, 3))
  );
}
