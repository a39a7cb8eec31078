// How many terminal columns a code point takes. Called by visible.ts for the wrapping of lines.
// Too wide a guess only wraps early; too narrow a guess would let text leave the frame, so doubt counts as two.

/** First and last of the blocks whose characters are two columns wide (East Asian Wide and Fullwidth). */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x231a, 0x231b],
  [0x2329, 0x232a],
  [0x2614, 0x2615],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18cff],
  [0x1aff0, 0x1b2ff],
  [0x1f000, 0x1faff],
  [0x20000, 0x3fffd],
];

/** Columns of one code point that isClear: 0 for a mark drawn over another, 2 for wide ones, else 1. */
export function displayWidth(character: string): number {
  if (character >= ' ' && character <= '~') return 1;
  const codePoint = character.codePointAt(0) ?? 0;
  // A spacing mark (Mc) takes a column of its own.
  if (/\p{Mn}|\p{Me}/u.test(character)) return 0;
  if (/\p{Emoji_Presentation}/u.test(character)) return 2;
  return WIDE.some(([first, last]) => codePoint >= first && codePoint <= last) ? 2 : 1;
}
