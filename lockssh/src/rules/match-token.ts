// Does one argument fit one token? Called by the rule matcher; the language order decides the same question
// symbolically and is held against this file by tests. It must never let a glob reach an option or climb.
import { matchElements } from './glob.js';
import { codePointsOf } from './plain-text.js';
import type { Token } from './token.js';

/** `fits`, or why not: other text, an option, a climbing segment. */
export type TokenFit = 'fits' | 'differs' | 'option' | 'climbs';

export function fitToken(token: Token, argument: string): TokenFit {
  if (token.kind === 'literal') return token.text === argument ? 'fits' : 'differs';
  if (isClosedOption(token, argument)) return 'option';
  const segments = argument.split('/');
  if (token.kind === 'rest') return segments.some(climbs) ? 'climbs' : 'fits';
  if (segments.length !== token.segments.length) return segments.some(climbs) ? 'climbs' : 'differs';
  const fitting = token.segments.every((segment, index) =>
    matchElements(segment.elements, codePointsOf(segments[index] ?? '')),
  );
  if (!fitting) return 'differs';
  const climbing = token.segments.some((segment, index) => !segment.spelled && climbs(segments[index] ?? ''));
  return climbing ? 'climbs' : 'fits';
}

function climbs(segment: string): boolean {
  return segment === '.' || segment === '..';
}

/** An argument that starts with - or + where the glob does not start with the same character. */
function isClosedOption(token: Token, argument: string): boolean {
  if (token.kind === 'literal' || token.operand) return false;
  const first = argument.charAt(0);
  return (first === '-' || first === '+') && !token.text.startsWith(first);
}
