// The only thing that leaves a sandboxed program: the byte 1 or 0, one newline after it tolerated.
// Called by sandbox-end.ts once the program has exited. It must never guess: other bytes, more bytes, none = no answer.

const ZERO = 0x30;
const ONE = 0x31;
const NEWLINE = 0x0a;

/** `first` holds the first bytes of standard output, `total` how many there were. */
export function parseAnswer(first: Uint8Array, total: number): 0 | 1 | null {
  if (total !== first.length || total < 1 || total > 2) return null;
  if (total === 2 && first[1] !== NEWLINE) return null;
  return first[0] === ONE ? 1 : first[0] === ZERO ? 0 : null;
}
