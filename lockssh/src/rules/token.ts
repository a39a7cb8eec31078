// One token of a rule: a literal argument, a glob, or `**`. Called by the rule parser, the matcher, the review
// and the language order. It must never read a character of a glob as literal because it could match only that.
import { BACKSLASH, CLOSE, OPEN, parseGlob, SLASH, STAR, type GlobElement } from './glob.js';
import { codePointsOf, utf8Bytes, utf8Length } from './plain-text.js';
import type { RuleProblemCode } from './rule-problem.js';

/** A stretch of a glob between slashes. `spelled`: written without any of `* ? [ \`, so it may climb. */
export interface GlobSegment {
  readonly elements: readonly GlobElement[];
  readonly spelled: boolean;
}

/** `operand`: behind a literal `--`, where an argument may start with - or +. */
export type Token =
  | { readonly kind: 'literal'; readonly text: string }
  | {
      readonly kind: 'glob';
      readonly text: string;
      readonly segments: readonly GlobSegment[];
      readonly operand: boolean;
    }
  | { readonly kind: 'rest'; readonly text: '**'; readonly operand: boolean };

export type TokenParse =
  | { readonly ok: true; readonly token: Token }
  | { readonly ok: false; readonly code: RuleProblemCode; readonly at: number };

export const REST = '**';
const QUOTES: ReadonlySet<number> = new Set([0x22, 0x27]);

/** A token of a rule, or what is wrong with it at which offset (code points from 0). Not for the program. */
export function parseToken(text: string, operand: boolean): TokenParse {
  if (text === REST) return { ok: true, token: { kind: 'rest', text, operand } };
  const parsed = parseGlob(text);
  if (!parsed.ok) return { ok: false, code: 'BAD_GLOB', at: parsed.at };
  const quote = openAt(text, (codePoint) => QUOTES.has(codePoint));
  if (quote >= 0) return { ok: false, code: 'QUOTE', at: quote };
  if (!isGlobText(text)) return { ok: true, token: { kind: 'literal', text } };
  const stars = openAt(text, (codePoint, next) => codePoint === STAR && next === STAR);
  if (stars >= 0) return { ok: false, code: 'DOUBLE_STAR', at: stars };
  return { ok: true, token: { kind: 'glob', text, segments: segmentsOf(parsed.elements), operand } };
}

export function isGlobText(text: string): boolean {
  return /[*?[\\]/.test(text);
}

/**
 * Offset of the first code point that `is` holds for, given it and the next one, outside classes and escapes; -1 when
 * there is none. The text is a valid glob.
 */
function openAt(text: string, is: (codePoint: number, next: number | undefined) => boolean): number {
  let inClass = false;
  const codePoints = codePointsOf(text);
  for (let at = 0; at < codePoints.length; at += 1) {
    const codePoint = codePoints[at] ?? 0;
    if (codePoint === BACKSLASH) at += 1;
    else if (codePoint === OPEN) inClass = true;
    else if (codePoint === CLOSE) inClass = false;
    else if (!inClass && is(codePoint, codePoints[at + 1])) return at;
  }
  return -1;
}

function segmentsOf(elements: readonly GlobElement[]): readonly GlobSegment[] {
  const segments: GlobElement[][] = [[]];
  for (const element of elements) {
    if (element.kind === 'char' && element.codePoint === SLASH) segments.push([]);
    else segments.at(-1)?.push(element);
  }
  return segments.map((segment) => ({ elements: segment, spelled: segment.every(isSpelled) }));
}

function isSpelled(element: GlobElement): boolean {
  return element.kind === 'char' && !element.escaped;
}

/** The fewest bytes of UTF-8 that an argument of this token has (`**` takes none). A class counts as one byte. */
export function fewestBytes(token: Token): number {
  if (token.kind === 'rest') return 0;
  if (token.kind === 'literal') return utf8Bytes(token.text);
  let bytes = token.segments.length - 1;
  for (const { elements } of token.segments) for (const element of elements) bytes += elementBytes(element);
  return bytes;
}

function elementBytes(element: GlobElement): number {
  if (element.kind === 'star') return 0;
  return element.kind === 'char' ? utf8Length(element.codePoint) : 1;
}
