// The limits a manifest may ask for: defaults, bounds and the one spelling of a byte size.
// Read by the manifest parser; the sandbox gets whole numbers only. "No limit" cannot be written.
import { accepted, refused, type Outcome } from 'lockkit/contract';

const MIB = 1024 * 1024;

/** [default, smallest, largest] of each limit. A wall clock past the client's five minutes would answer nobody. */
export const LIMIT_BOUNDS = {
  cpu_s: { fallback: 10, min: 1, max: 240 },
  timeout_s: { fallback: 30, min: 1, max: 240 },
  memory: { fallback: 128 * MIB, min: MIB, max: 4096 * MIB },
} as const;

const SIZE = /^([1-9][0-9]{0,9})(KiB|MiB|GiB)$/;
const UNIT_BYTES: Readonly<Record<string, number>> = { KiB: 1024, MiB: MIB, GiB: 1024 * MIB };

/** `512MiB` → bytes. Only whole numbers with a binary unit, within the bounds of `memory`. */
export function parseMemory(text: string): Outcome<number, 'bad_limits'> {
  const match = SIZE.exec(text);
  if (match === null) return refused('bad_limits');
  const bytes = Number(match[1]) * (UNIT_BYTES[match[2] ?? ''] ?? Number.NaN);
  const { min, max } = LIMIT_BOUNDS.memory;
  return bytes >= min && bytes <= max ? accepted(bytes) : refused('bad_limits');
}
