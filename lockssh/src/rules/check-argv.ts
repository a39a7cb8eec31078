// The limits of an argv, before any rule is asked (using lockssh, "What runs, what waits, what is refused").
// Called with whatever the agent sent; the language order uses the same limits as the domain of its proofs.
// It must never split, trim or repair what came in.
import type { Outcome } from 'lockkit/contract';
import { codePointsOf, isPlainCodePoint, TAB, utf8Bytes } from './plain-text.js';

export const ARGV_LIMITS = {
  maxArguments: 64,
  maxArgumentBytes: 4096,
  maxArgvBytes: 16384,
} as const;

const BAD_ARGV = { ok: false, code: 'E_BAD_ARGV' } as const;

/** The argv itself, copied, or `E_BAD_ARGV`. Bytes are those of UTF-8. */
export function checkArgv(argv: unknown): Outcome<readonly string[], 'E_BAD_ARGV'> {
  if (!Array.isArray(argv) || argv.length < 1 || argv.length > ARGV_LIMITS.maxArguments) {
    return BAD_ARGV;
  }
  const copy: unknown[] = Array.from(argv as readonly unknown[]);
  if (!copy.every(isArgument) || !isProgramName(copy[0] ?? '')) return BAD_ARGV;
  const totalBytes = copy.reduce((sum, argument) => sum + utf8Bytes(argument), 0);
  return totalBytes > ARGV_LIMITS.maxArgvBytes ? BAD_ARGV : { ok: true, value: copy };
}

function isArgument(argument: unknown): argument is string {
  if (typeof argument !== 'string' || argument.length > ARGV_LIMITS.maxArgumentBytes) return false;
  if (utf8Bytes(argument) > ARGV_LIMITS.maxArgumentBytes) return false;
  return codePointsOf(argument).every((codePoint) => codePoint === TAB || isPlainCodePoint(codePoint));
}

/** Not empty, not an option, and not shaped like an assignment (`A=b`). */
function isProgramName(program: string): boolean {
  return program !== '' && !/^[-+]/.test(program) && !program.includes('=');
}
