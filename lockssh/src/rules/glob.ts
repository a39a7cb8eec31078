// One glob in the language of Go's path.Match, over code points: `*`, `?`, `[…]`, `[^…]` and `\`.
// Called by the token parser (rules) and by whoever needs path.Match itself. It must never accept a malformed
// pattern, whatever the name is: an error in a pattern is found when the rule loads, not when it is needed.
import { contains, rangesOf, type CharSet, type Range } from './char-set.js';
import { codePointsOf } from './plain-text.js';

export type GlobElement =
  | { readonly kind: 'char'; readonly codePoint: number; readonly escaped: boolean }
  | { readonly kind: 'any' }
  | { readonly kind: 'class'; readonly set: CharSet }
  | { readonly kind: 'star' };

export type GlobParse =
  | { readonly ok: true; readonly elements: readonly GlobElement[] }
  | { readonly ok: false; readonly at: number };

export const SLASH = 0x2f;
export const STAR = 0x2a;
const QUESTION = 0x3f;
export const OPEN = 0x5b;
export const CLOSE = 0x5d;
const CARET = 0x5e;
const DASH = 0x2d;
export const BACKSLASH = 0x5c;

/** The elements of a pattern, or the offset (in code points) where it stops being one. */
export function parseGlob(pattern: string): GlobParse {
  const source = codePointsOf(pattern);
  const elements: GlobElement[] = [];
  let at = 0;
  while (at < source.length) {
    const codePoint = source[at] ?? 0;
    if (codePoint === OPEN) {
      const parsed = parseClass(source, at);
      if (typeof parsed === 'number') return { ok: false, at: parsed };
      elements.push({ kind: 'class', set: parsed.set });
      at = parsed.end;
      continue;
    }
    const escaped = codePoint === BACKSLASH;
    const literal = escaped ? source[at + 1] : codePoint;
    if (literal === undefined) return { ok: false, at };
    elements.push(escaped ? { kind: 'char', codePoint: literal, escaped } : plainElement(literal));
    at += escaped ? 2 : 1;
  }
  return { ok: true, elements };
}

function plainElement(codePoint: number): GlobElement {
  if (codePoint === STAR) return { kind: 'star' };
  if (codePoint === QUESTION) return { kind: 'any' };
  return { kind: 'char', codePoint, escaped: false };
}

/** A class that begins at `open`, or the offset of the mistake. `]` and `-` need a backslash to be members. */
function parseClass(source: readonly number[], open: number): { set: CharSet; end: number } | number {
  const negated = source[open + 1] === CARET;
  const ranges: Range[] = [];
  let at = open + (negated ? 2 : 1);
  while (source[at] !== CLOSE || ranges.length === 0) {
    const low = parseMember(source, at);
    if (low === null) return Math.min(at, source.length - 1);
    at = low.end;
    let high = low;
    if (source[at] === DASH) {
      const bound = parseMember(source, at + 1);
      if (bound === null) return Math.min(at, source.length - 1);
      high = bound;
      at = bound.end;
    }
    ranges.push({ low: low.codePoint, high: high.codePoint });
  }
  return { set: rangesOf(ranges, negated), end: at + 1 };
}

function parseMember(source: readonly number[], at: number): { codePoint: number; end: number } | null {
  const first = source[at];
  if (first === undefined || first === DASH || first === CLOSE) return null;
  const escaped = first === BACKSLASH;
  const codePoint = escaped ? source[at + 1] : first;
  if (codePoint === undefined) return null;
  return { codePoint, end: at + (escaped ? 2 : 1) };
}

export type GlobResult = { readonly match: boolean; readonly error: 'bad_pattern' | null };

/** Go's path.Match(pattern, name): the first fit of every stretch between stars is final, as it is in Go. */
export function matchGlob(pattern: string, name: string): GlobResult {
  const parsed = parseGlob(pattern);
  if (!parsed.ok) return { match: false, error: 'bad_pattern' };
  return { match: matchElements(parsed.elements, codePointsOf(name)), error: null };
}

/** Linear backtracking: only to the last star, and never over a slash. */
export function matchElements(elements: readonly GlobElement[], name: readonly number[]): boolean {
  let element = 0;
  let at = 0;
  let starElement = -1;
  let starAt = 0;
  for (;;) {
    const current = elements[element];
    if (current?.kind === 'star') {
      starElement = element;
      starAt = at;
      element += 1;
    } else if (current !== undefined && at < name.length && fits(current, name[at] ?? 0)) {
      element += 1;
      at += 1;
    } else if (current === undefined && at === name.length) {
      return true;
    } else if (starElement >= 0 && starAt < name.length && name[starAt] !== SLASH) {
      starAt += 1;
      at = starAt;
      element = starElement + 1;
    } else {
      return false;
    }
  }
}

/** Whether one element, not a star, takes one code point. */
export function fits(element: GlobElement, codePoint: number): boolean {
  if (element.kind === 'char') return element.codePoint === codePoint;
  if (element.kind === 'any') return codePoint !== SLASH;
  return element.kind === 'class' && contains(element.set, codePoint);
}
