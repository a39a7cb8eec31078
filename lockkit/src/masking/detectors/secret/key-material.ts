// Private keys that are not PEM text: the base64 of a PEM block, the private numbers of a JWK or of an XML key.
// Public numbers stay. Hangs on what such a key cannot do without.
import type { Emit, View } from '../../detector.js';
import type { SecretFinder, SecretLook } from './secret-finder.js';

const LITERALS = ['ls0tls1crudj', '"kty"', '<rsakeyvalue>'] as const;
const MAX_RUN = 65_536;
const MAX_KEY = 8192;
const JWK_NUMBER = /"(?:d|p|q|dp|dq|qi|k)"\s{0,4}:\s{0,4}"([\w-]{1,4096})"/g;
const XML_NUMBER = /<(P|Q|DP|DQ|InverseQ|D)>([\w+/=\s]{1,4096})<\/\1>/gi;

export const keyMaterial: SecretFinder = { literals: LITERALS, open: openKeyMaterial };

function openKeyMaterial(view: View, emit: Emit): SecretLook {
  let seen = 0;
  return {
    literal: (index, start, end) => {
      if (start < seen) return;
      if (index === 0) seen = encodedPem(view, start, emit);
      else if (index === 1)
        seen = numbers(view, objectStart(view, start, seen), objectEnd(view, end), JWK_NUMBER, emit);
      else seen = numbers(view, start, Math.min(view.length, start + MAX_KEY), XML_NUMBER, emit);
    },
  };
}

/** `LS0tLS1CRUdJ…` is `-----BEGI…`: hidden when it goes on as a private key. */
function encodedPem(view: View, start: number, emit: Emit): number {
  let end = start;
  while (end < view.length && end - start < MAX_RUN && /[A-Za-z0-9+/_=-]/.test(view.text[end] as string))
    end += 1;
  const head = Buffer.from(view.text.slice(start, start + 160), 'base64').toString('latin1');
  if (/^-----BEGIN (?:[A-Z0-9]{1,16}[ _]){0,6}PRIVATE KEY/.test(head))
    emit(start, end, 'encoded private key');
  return end;
}

function numbers(view: View, from: number, to: number, pattern: RegExp, emit: Emit): number {
  for (const match of view.text.slice(from, to).matchAll(pattern)) {
    const value = match.at(-1) as string;
    const start = from + match.index + match[0].lastIndexOf(value);
    emit(start, start + value.length, 'private number of a key');
  }
  return to;
}

function objectStart(view: View, at: number, floor: number): number {
  const from = Math.max(floor, at - MAX_KEY, 0);
  return from + Math.max(0, view.text.slice(from, at).lastIndexOf('{'));
}

function objectEnd(view: View, at: number): number {
  const brace = view.text.slice(at, at + MAX_KEY).indexOf('}');
  return brace < 0 ? Math.min(view.length, at + MAX_KEY) : at + brace;
}
