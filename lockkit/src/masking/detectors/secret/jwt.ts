// JSON Web Tokens: whole, without signature, cut off, and once more encoded in base64. A head that is not followed by
// a second part is not one. Runs of token characters are walked over once.
import { isWord } from '../../characters.js';
import type { Emit, View } from '../../detector.js';
import type { SecretFinder, SecretLook } from './secret-finder.js';

const ENCODED_PREFIX = 'zxlk';

export const jwt: SecretFinder = { literals: ['eyj', ENCODED_PREFIX], open: openJwt };

function openJwt(view: View, emit: Emit): SecretLook {
  let seen = 0;
  return {
    literal: (index, start) => {
      if (start < seen) return;
      seen = index === 0 ? plainToken(view, start, emit) : encodedToken(view, start, emit);
    },
  };
}

function isTokenByte(byte: number | undefined): boolean {
  return isWord(byte) || byte === 0x2d;
}

function runEnd(view: View, from: number): number {
  let at = from;
  while (at < view.length && isTokenByte(view.bytes[at])) at += 1;
  return at;
}

/** Returns the index up to which no further token starts. */
function plainToken(view: View, start: number, emit: Emit): number {
  if (view.text.slice(start, start + 3) !== 'eyJ') return start + 1;
  const headEnd = runEnd(view, start);
  if (view.bytes[headEnd] !== 0x2e || headEnd - start < 8) return headEnd;
  let end = runEnd(view, headEnd + 1);
  if (end === headEnd + 1) return headEnd;
  while (view.bytes[end] === 0x2e && end < view.length) {
    const next = runEnd(view, end + 1);
    if (next === end + 1) break;
    end = next;
  }
  if (view.text.slice(headEnd + 1, headEnd + 4) !== 'eyJ' && !isHeader(view.text.slice(start, headEnd)))
    return headEnd;
  emit(start, end, 'JSON web token');
  return end;
}

/** The head says an algorithm or a type. Only the first kilobyte is decoded. */
function isHeader(head: string): boolean {
  return /"(?:alg|typ|enc|kid)"/.test(Buffer.from(head.slice(0, 1024), 'base64url').toString('latin1'));
}

function encodedToken(view: View, start: number, emit: Emit): number {
  if (view.text.slice(start, start + 4) !== 'ZXlK') return start + 1;
  let end = start;
  while (
    end < view.length &&
    (isTokenByte(view.bytes[end]) || view.bytes[end] === 0x2b || view.bytes[end] === 0x2f)
  )
    end += 1;
  while (view.bytes[end] === 0x3d && end < view.length) end += 1;
  const decoded = Buffer.from(view.text.slice(start, Math.min(end, start + 4096)), 'base64').toString(
    'latin1',
  );
  if (/^eyJ[\w-]{5,}(?:\.|$)/.test(decoded)) emit(start, end, 'encoded JSON web token');
  return end;
}
