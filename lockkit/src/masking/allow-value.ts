// A detected value that a profile keeps in clear (pii.toml, [[allow]]). Never a secret. Compared by normal form, so
// that every spelling of the value is allowed and no other value is.
import { accepted, refused, type Outcome } from '../contract/outcome.js';
import type { DetectorName } from './detector.js';
import { DETECTORS, parseDetectorName } from './registry.js';

export interface AllowValue {
  readonly kind: DetectorName;
  readonly value: string;
}

export const MAX_ALLOW_BYTES = 512;

/** `E_BAD_ALLOW`: no such kind, a secret, or a value that is empty, over 512 bytes or over several lines. */
export function parseAllowValue(kind: string, value: string): Outcome<AllowValue, 'E_BAD_ALLOW'> {
  const name = parseDetectorName(kind);
  if (name === undefined || name === 'secret') return refused('E_BAD_ALLOW');
  if (value.trim() === '' || Buffer.byteLength(value) > MAX_ALLOW_BYTES || /[\r\n\0]/.test(value))
    return refused('E_BAD_ALLOW');
  return accepted({ kind: name, value });
}

/** Tells whether a normalised value of a kind is allowed. */
export function compileAllowed(
  values: readonly AllowValue[],
): (kind: DetectorName, normalised: string) => boolean {
  const allowed = new Set(values.map(({ kind, value }) => `${kind}\0${DETECTORS[kind].normalise(value)}`));
  if (allowed.size === 0) return () => false;
  return (kind, normalised) => kind !== 'secret' && allowed.has(`${kind}\0${normalised}`);
}
