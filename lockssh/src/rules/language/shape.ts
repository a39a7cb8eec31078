// A rule as the language order sees it: fixed tokens, then perhaps `**`. Called by the search over argvs.
import type { Rule } from '../parse-rule.js';
import type { Token } from '../token.js';
import { ARGV_LIMITS } from '../check-argv.js';

/** `fixed` and `rest` are those after the program. `key` is the same for rules of the same text. */
export interface Shape {
  readonly key: string;
  readonly fixed: readonly Token[];
  readonly rest: Token | null;
}

/** The most arguments after the program. */
export const MAX_OPERANDS = ARGV_LIMITS.maxArguments - 1;

export function shapeOf(rule: Rule): Shape {
  const last = rule.tokens.at(-1);
  if (last?.kind !== 'rest') return { key: rule.text, fixed: rule.tokens, rest: null };
  return { key: rule.text, fixed: rule.tokens.slice(0, -1), rest: last };
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

/** Quick and one-sided: true only if no argument fits both. */
export function areApart(a: Token, b: Token): boolean {
  const first = literalPrefix(a);
  const second = literalPrefix(b);
  if (!first.startsWith(second) && !second.startsWith(first)) return true;
  return a.kind === 'literal' && b.kind === 'literal' && a.text !== b.text;
}

function literalPrefix(token: Token): string {
  if (token.kind === 'literal') return token.text;
  return /^[^*?[\\]*/.exec(token.text)?.[0] ?? '';
}

/** Quick and one-sided: true only if no argv of the first is one of the second. */
export function shapesApart(a: Shape, b: Shape): boolean {
  if (a.rest === null && b.fixed.length > a.fixed.length) return true;
  if (b.rest === null && a.fixed.length > b.fixed.length) return true;
  if (a.rest === null && b.rest === null && a.fixed.length !== b.fixed.length) return true;
  return a.fixed.some((token, index) => {
    const other = tokenAt(b, index);
    return other !== null && areApart(token, other);
  });
}
