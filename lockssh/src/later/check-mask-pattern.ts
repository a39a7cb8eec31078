// Whether the masking engine takes a pattern of pii.toml or of `pii add`. Called by everything that loads a policy.
import { parseMaskRule } from 'lockkit/masking';

/** null: it runs; else one static sentence. */
export function checkMaskPattern(pattern: string): string | null {
  return parseMaskRule(pattern).ok
    ? null
    : 'must be an RE2 pattern of at most 1 KiB that does not match the empty text';
}
