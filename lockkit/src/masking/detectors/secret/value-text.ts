// Finds where a value begins and ends once its key is known: quoted in any of the usual ways (also inside JSON that
// is itself a string), or bare up to what ends it in that syntax. Called by the assignment and command finders.
import type { View } from '../../detector.js';

/** A value at [start, end), without its quotes. */
export interface ValueText {
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
}

const BACKSLASH = 0x5c;
const MAX_BACKSLASHES = 8;
const MAX_TRAILING = 4;

/** The value that begins at `at` (no spaces before it). `inQuery`: the key stands in a URL, so `&` ends it. */
export function readValue(view: View, at: number, inQuery: boolean): ValueText {
  const { bytes } = view;
  let open = at;
  if (bytes[open] === 0x24 && bytes[open + 1] === 0x27) open += 1;
  let slashes = 0;
  while (bytes[open] === BACKSLASH && slashes < MAX_BACKSLASHES) {
    open += 1;
    slashes += 1;
  }
  const quote = bytes[open];
  if (quote === 0x22 || quote === 0x27 || quote === 0x60) return readQuoted(view, open, quote, slashes);
  return readBare(view, at, inQuery);
}

function readQuoted(view: View, open: number, quote: number, slashes: number): ValueText {
  const { bytes } = view;
  const triple = slashes === 0 && bytes[open + 1] === quote && bytes[open + 2] === quote;
  const start = open + (triple ? 3 : 1);
  let at = start;
  while (at < view.length) {
    const byte = bytes[at];
    if (byte === 0x0a && !triple) break;
    if (byte === quote && closes(view, start, at, slashes) && (!triple || isTriple(view, at, quote))) break;
    at += 1;
  }
  const end = Math.max(start, at - (bytes[at] === quote ? Math.min(slashes, at - start) : 0));
  if (slashes === 0 && !triple && bytes[at] === quote && isGlued(view, at + 1))
    return readGlued(view, start, at + 1);
  return { start, end: trimCarriageReturn(view, start, end), quoted: true };
}

/** `'it''s'` and `'it'\''s'`: the word goes on directly after its closing quote. */
function isGlued(view: View, at: number): boolean {
  const byte = view.bytes[at];
  if (byte === BACKSLASH) return view.bytes[at + 1] === 0x27 || view.bytes[at + 1] === 0x22;
  return (byte === 0x27 || byte === 0x22) && view.bytes[at + 1] !== byte && !isSpaceOrEnd(view, at + 1);
}

function readGlued(view: View, start: number, from: number): ValueText {
  let at = from;
  while (at < view.length && !isSpaceOrEnd(view, at) && !/[,;)}\]>]/.test(view.text[at] as string)) at += 1;
  const last = view.bytes[at - 1];
  return { start, end: last === 0x27 || last === 0x22 ? at - 1 : at, quoted: true };
}

function isTriple(view: View, at: number, quote: number): boolean {
  return view.bytes[at + 1] === quote && view.bytes[at + 2] === quote;
}

/** The quote at `at` has no more backslashes before it than the opening one (an escaped quote has more). */
function closes(view: View, start: number, at: number, slashes: number): boolean {
  let before = 0;
  while (at - 1 - before >= start && view.bytes[at - 1 - before] === BACKSLASH) before += 1;
  return slashes === 0 ? before % 2 === 0 : before <= slashes;
}

function trimCarriageReturn(view: View, start: number, end: number): number {
  return end > start && view.bytes[end - 1] === 0x0d ? end - 1 : end;
}

function readBare(view: View, start: number, inQuery: boolean): ValueText {
  const { bytes } = view;
  let at = start;
  while (at < view.length && !endsBare(view, at, bytes[at] as number, inQuery)) at += 1;
  let end = at;
  for (let trimmed = 0; trimmed < MAX_TRAILING && end > start && isTrailing(view, start, end); trimmed++)
    end -= 1;
  return { start, end, quoted: false };
}

function endsBare(view: View, at: number, byte: number, inQuery: boolean): boolean {
  if (byte <= 0x20) return true;
  switch (byte) {
    case 0x22:
      return endsAtQuote(view, at);
    case 0x3c:
      return view.bytes[at + 1] === 0x2f;
    case 0x23:
      return inQuery;
    case 0x26:
      return inQuery || nextIsPair(view, at);
    case 0x3b:
      return isSemicolonEnd(view, at);
    case 0x2c:
      return isSpaceOrEnd(view, at + 1) || nextIsPair(view, at);
    default:
      return false;
  }
}

/** A double quote inside a bare value ends it when it closes something outside (`"-Dpassword=x"`). */
function endsAtQuote(view: View, at: number): boolean {
  const after = view.bytes[at + 1];
  return (
    after === undefined ||
    after <= 0x20 ||
    after === 0x2c ||
    after === 0x29 ||
    after === 0x7d ||
    after === 0x5d ||
    after === 0x3e
  );
}

/** In `Password=P@ss;word;Encrypt=True` the value goes on to the semicolon before the next pair. */
function isSemicolonEnd(view: View, at: number): boolean {
  return isSpaceOrEnd(view, at + 1) || /^[A-Za-z][\w .-]*=/.test(view.text.slice(at + 1, at + 65));
}

function nextIsPair(view: View, at: number): boolean {
  return /^["']?[A-Za-z_][\w.-]{0,40}["']?[=:]/.test(view.text.slice(at + 1, at + 50));
}

function isSpaceOrEnd(view: View, at: number): boolean {
  const byte = view.bytes[at];
  return byte === undefined || byte <= 0x20;
}

/** Closing signs at the end that were not opened inside belong to the text around. */
function isTrailing(view: View, start: number, end: number): boolean {
  const byte = view.bytes[end - 1];
  const value = view.text;
  if (byte === 0x29) return !value.slice(start, end).includes('(');
  if (byte === 0x5d) return !value.slice(start, end).includes('[');
  if (byte === 0x7d) return !value.slice(start, end).includes('{');
  return byte === 0x2c || byte === 0x0d || (byte === 0x27 && value.indexOf("'", start) === end - 1);
}
