// Patterns that people and agents add (pii.toml, pii add). They run on RE2, in linear time, on text that is clear
// already; what they match becomes ⟦mask:…⟧. Called by policy loading (parse) and the masker (apply). A rule may never
// see, cross or change a placeholder: its result must not depend on a masked value.
import RE2 from 're2';
import { accepted, refused, type Outcome } from '../contract/outcome.js';

/** A pattern that passed `parseMaskRule`. */
export interface MaskRule {
  readonly kind: 'mask_rule';
  /** RE2 syntax. */
  readonly pattern: string;
}

export const MAX_PATTERN_BYTES = 1024;

/** `E_BAD_PATTERN`: not RE2, matches the empty string, empty, or over 1 KiB (Using lockssh, "PII rules"). */
export function parseMaskRule(pattern: string): Outcome<MaskRule, 'E_BAD_PATTERN'> {
  if (pattern === '' || Buffer.byteLength(pattern) > MAX_PATTERN_BYTES || /[\0\n\r]/.test(pattern)) {
    return refused('E_BAD_PATTERN');
  }
  try {
    if (compileRule(pattern).test('')) return refused('E_BAD_PATTERN');
  } catch {
    return refused('E_BAD_PATTERN');
  }
  return accepted({ kind: 'mask_rule', pattern });
}

/** Global and Unicode, for `findMatches`. */
export function compileRule(pattern: string): RE2 {
  return new RE2(pattern, 'gu');
}

/** Places of `bytes` that the rules match, united and in order. Empty matches count for nothing. */
export function findMatches(rules: readonly RE2[], bytes: Buffer): readonly (readonly [number, number])[] {
  const places: (readonly [number, number])[] = [];
  for (const rule of rules) {
    rule.lastIndex = 0;
    for (let match = rule.exec(bytes); match !== null; match = rule.exec(bytes)) {
      const length = (match[0] as unknown as Buffer).length;
      if (length > 0) places.push([match.index, match.index + length]);
      else rule.lastIndex = nextCharacter(bytes, match.index);
    }
  }
  return unitePlaces(places);
}

function nextCharacter(bytes: Buffer, at: number): number {
  let next = at + 1;
  while (next < bytes.length && ((bytes[next] as number) & 0xc0) === 0x80) next += 1;
  return next;
}

function unitePlaces(places: readonly (readonly [number, number])[]): readonly (readonly [number, number])[] {
  const united: [number, number][] = [];
  for (const [start, end] of [...places].sort((a, b) => a[0] - b[0])) {
    const last = united.at(-1);
    if (last !== undefined && start < last[1]) last[1] = Math.max(last[1], end);
    else united.push([start, end]);
  }
  return united;
}
