// A rule as the language order sees it: fixed tokens, then perhaps `**`. Called by the search over argvs.
import type { GlobElement } from '../glob.js';
import type { Rule } from '../parse-rule.js';
import { fewestBytes, type Token } from '../token.js';
import { ARGV_LIMITS } from '../check-argv.js';

/**
 * `fixed` and `rest` are those after the program. `key` is the same for rules of the same text. `prefixes`: what every
 * argument for a fixed token begins with. `texts`: the one text that a fixed token can match, or null. `bytes`: the
 * fewest that the arguments of a match have, without the program.
 */
export interface Shape {
  readonly key: string;
  readonly fixed: readonly Token[];
  readonly rest: Token | null;
  readonly prefixes: readonly string[];
  readonly texts: readonly (string | null)[];
  readonly bytes: number;
}

/** The most arguments after the program. */
export const MAX_OPERANDS = ARGV_LIMITS.maxArguments - 1;

export function shapeOf(rule: Rule): Shape {
  const last = rule.tokens.at(-1);
  const rest = last?.kind === 'rest' ? last : null;
  const fixed = rest === null ? rule.tokens : rule.tokens.slice(0, -1);
  const bytes = fixed.reduce((sum, token) => sum + fewestBytes(token), 0);
  return {
    key: rule.text,
    fixed,
    rest,
    prefixes: fixed.map(literalPrefix),
    texts: fixed.map(onlyText),
    bytes,
  };
}

/** The token for the argument at `at` (0 = the first after the program); null when the rule has none there. */
export function tokenAt(shape: Shape, at: number): Token | null {
  return shape.fixed[at] ?? shape.rest;
}

/** Whether the rule matches when `count` arguments have all fitted. */
export function endsAt(shape: Shape, count: number): boolean {
  return count === shape.fixed.length || (shape.rest !== null && count > shape.fixed.length);
}

/** Tokens of the same key match the same arguments. */
export function tokenKey(token: Token): string {
  if (token.kind === 'literal') return `=${token.text}`;
  return `${token.operand ? '+' : '-'}${token.text}`;
}

function literalPrefix(token: Token): string {
  if (token.kind === 'literal') return token.text;
  return /^[^*?[\\]*/.exec(token.text)?.[0] ?? '';
}

/** Quick and one-sided: true only if no argv of the first is one of the second. */
export function shapesApart(a: Shape, b: Shape): boolean {
  if (a.rest === null && b.fixed.length > a.fixed.length) return true;
  if (b.rest === null && a.fixed.length > b.fixed.length) return true;
  const both = Math.min(a.fixed.length, b.fixed.length);
  for (let at = 0; at < both; at += 1) if (tokensApart(a, b, at)) return true;
  return false;
}

function tokensApart(a: Shape, b: Shape, at: number): boolean {
  const [first = '', second = ''] = [a.prefixes[at], b.prefixes[at]];
  if (first === second) return false;
  if (a.fixed[at]?.kind === 'literal' && b.fixed[at]?.kind === 'literal') return true;
  return !first.startsWith(second) && !second.startsWith(first);
}

/** The one text that the token can match, however it is spelled; null when there may be more, or none. */
function onlyText(token: Token): string | null {
  if (token.kind !== 'glob') return token.kind === 'literal' ? token.text : null;
  const segments: string[] = [];
  for (const { elements } of token.segments) {
    const codePoints = elements.map(onlyCodePoint);
    if (codePoints.includes(-1)) return null;
    segments.push(String.fromCodePoint(...codePoints));
  }
  return segments.join('/');
}

function onlyCodePoint(element: GlobElement): number {
  if (element.kind === 'char') return element.codePoint;
  const range = element.kind === 'class' && element.set.length === 1 ? element.set[0] : undefined;
  return range !== undefined && range.low === range.high ? range.low : -1;
}
