// Durations as Go writes them ("30s", "1h30m", "0.5s"), kept in whole milliseconds. Used by limits and timeouts.
// Zero, negative and over the ceiling are refused: nothing here may ever mean "no limit".
import { z } from 'zod';
import type { ValueType } from '../field.js';

const MAX_TEXT = 40;
const WHOLE = /^\+?(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/;
const PART = /(\d*)\.?(\d*)(ns|us|µs|μs|ms|s|m|h)/g;
const NANOSECONDS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n, // U+00B5
  μs: 1_000n, // U+03BC
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};
const NANOSECONDS_A_MS = 1_000_000n;

/** Whole milliseconds of a Go duration, or null: not that syntax, no whole millisecond, or beyond a safe integer. */
export function parseDurationMs(text: string): number | null {
  if (text.length > MAX_TEXT || !WHOLE.test(text)) return null;
  let total = 0n;
  for (const [, whole = '', fraction = '', unit = ''] of text.matchAll(PART)) {
    const scale = 10n ** BigInt(fraction.length);
    const amount = BigInt(`${whole}${fraction}` || '0') * (NANOSECONDS[unit] ?? 0n);
    if (amount % scale !== 0n) return null;
    total += amount / scale;
  }
  if (total % NANOSECONDS_A_MS !== 0n) return null;
  const ms = Number(total / NANOSECONDS_A_MS);
  return Number.isSafeInteger(ms) ? ms : null;
}

/** The shortest spelling that parses back to the same number: `4h`, `1m30s`, `500ms`. */
export function renderDuration(ms: number): string {
  const parts: string[] = [];
  let rest = ms;
  for (const [unit, size] of [
    ['h', 3_600_000],
    ['m', 60_000],
    ['s', 1_000],
    ['ms', 1],
  ] as const) {
    const count = Math.floor(rest / size);
    if (count > 0) parts.push(`${String(count)}${unit}`);
    rest -= count * size;
  }
  return parts.join('') || '0s';
}

/** A duration from `minMs` (at least 1) to `maxMs`; the value is milliseconds. */
export function duration(minMs: number, maxMs: number): ValueType<number> {
  const inRange = (ms: number | null): ms is number => ms !== null && ms >= minMs && ms <= maxMs;
  const schema = z
    .string()
    .transform(parseDurationMs)
    .pipe(z.number().min(minMs).max(maxMs)) as unknown as z.ZodType<number>;
  if (minMs < 1 || !inRange(maxMs)) throw new Error('a duration needs a range above zero');
  const range = `from "${renderDuration(minMs)}" to "${renderDuration(maxMs)}"`;
  return { schema, expects: `a duration like "30s" or "10m", ${range}`, show: renderDuration };
}
