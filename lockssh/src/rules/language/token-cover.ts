// A quick proof that one rule lies within another: token by token, element by element. Called by the search over argvs
// before it opens any automaton, because most changes narrow one rule. One-sided: false means "not shown here".
// It must never be true for a rule that allows one argv more.
import { contains, type CharSet } from '../char-set.js';
import type { GlobElement } from '../glob.js';
import { fitToken } from '../match-token.js';
import type { GlobSegment, Token } from '../token.js';
import { tokenAt, tokenKey, type Shape } from './shape.js';

/** True only if every argv of `inner` is one of `outer`. */
export function coversShape(outer: Shape, inner: Shape): boolean {
  if (inner.fixed.length < outer.fixed.length) return false;
  if (outer.rest === null && (inner.rest !== null || inner.fixed.length > outer.fixed.length)) return false;
  if (outer.rest !== null && inner.rest !== null && !coversToken(outer.rest, inner.rest, null)) return false;
  return inner.fixed.every((token, index) => {
    const wide = tokenAt(outer, index);
    return wide !== null && coversToken(wide, token, inner.texts[index] ?? null);
  });
}

/** `text`: the only one that `inner` can match, where there is but one. */
function coversToken(outer: Token, inner: Token, text: string | null): boolean {
  if (text !== null) return fitToken(outer, text) === 'fits';
  if (outer.kind === 'literal' || inner.kind === 'literal') return false;
  if (tokenKey(outer) === tokenKey(inner)) return true;
  if (['-', '+'].some((sign) => !opens(outer, sign) && opens(inner, sign) && mayStartWith(inner, sign)))
    return false;
  if (inner.kind === 'rest') return outer.kind === 'rest';
  if (outer.kind === 'rest') return inner.segments.every(neverClimbs);
  if (outer.segments.length !== inner.segments.length) return false;
  return outer.segments.every((segment, index) =>
    coversSegment(segment, inner.segments[index] as GlobSegment),
  );
}

/** Whether the option rule lets the token take an argument that starts with this sign. */
function opens(token: Token, sign: string): boolean {
  return token.kind === 'literal' || token.operand || token.text.startsWith(sign);
}

function mayStartWith(token: Token, sign: string): boolean {
  if (token.kind !== 'glob') return true;
  const [first] = token.segments[0]?.elements ?? [];
  if (first === undefined) return token.segments.length === 1;
  const codePoint = sign.codePointAt(0) ?? 0;
  if (first.kind === 'char') return first.codePoint === codePoint;
  return first.kind !== 'class' || contains(first.set, codePoint);
}

function neverClimbs(segment: GlobSegment): boolean {
  if (!segment.spelled) return true;
  const dots = segment.elements.every((element) => element.kind === 'char' && element.codePoint === 0x2e);
  return !dots || segment.elements.length === 0 || segment.elements.length > 2;
}

function coversSegment(outer: GlobSegment, inner: GlobSegment): boolean {
  if (!outer.spelled && !neverClimbs(inner)) return false;
  return absorbs(outer.elements, inner.elements);
}

/** The matching of a glob, with elements in the place of characters. */
function absorbs(outer: readonly GlobElement[], inner: readonly GlobElement[]): boolean {
  let element = 0;
  let at = 0;
  let star = -1;
  let starAt = 0;
  for (;;) {
    const current = outer[element];
    const given = inner[at];
    if (current?.kind === 'star') {
      star = element;
      starAt = at;
      element += 1;
    } else if (current !== undefined && given !== undefined && absorbsElement(current, given)) {
      element += 1;
      at += 1;
    } else if (current === undefined && given === undefined) {
      return true;
    } else if (star >= 0 && starAt < inner.length) {
      starAt += 1;
      at = starAt;
      element = star + 1;
    } else {
      return false;
    }
  }
}

function absorbsElement(outer: GlobElement, inner: GlobElement): boolean {
  if (inner.kind === 'star' || outer.kind === 'star') return false;
  if (outer.kind === 'any') return true;
  if (inner.kind === 'any') return false;
  return setOf(inner).every(({ low, high }) =>
    setOf(outer).some((range) => range.low <= low && high <= range.high),
  );
}

/** A segment holds no slash, so a class that names one takes no more than the same class without it. */
function setOf(element: Exclude<GlobElement, { readonly kind: 'star' | 'any' }>): CharSet {
  if (element.kind === 'class') return element.set;
  return [{ low: element.codePoint, high: element.codePoint }];
}
