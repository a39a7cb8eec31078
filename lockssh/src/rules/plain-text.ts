// Which characters may stand in an argv or in an allow rule: everything a human can see, and the space.
// Called by the argv check, the rule parser and the language order. It must never let through a character that
// changes what the approval screen shows without showing itself.

/** Controls, formats, surrogates, line and paragraph separators, default-ignorable and non-characters. */
const UNSEEN =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Variation_Selector}\p{Noncharacter_Code_Point}]/u;

/** Graphic by category, but drawn as nothing: braille blank, null notehead, Khitan filler, Egyptian blanks. */
const BLANK = new Set([0x2800, 0x1d159, 0x16fe4, 0x13441, 0x13442]);

export const TAB = 0x09;
const LAST_CODE_POINT = 0x10ffff;

/** True when the code point is neither control nor invisible. The tab is not plain; an argv allows it, a rule does not. */
export function isPlainCodePoint(codePoint: number): boolean {
  if (codePoint >= 0x20 && codePoint < 0x7f) return true;
  if (codePoint < 0 || codePoint > LAST_CODE_POINT || BLANK.has(codePoint)) return false;
  return !UNSEEN.test(String.fromCodePoint(codePoint));
}

/**
 * Index, in code points, of the first character that a rule may not hold; -1 when there is none. Beside what is not
 * plain these are the spaces that look like the separator of tokens and are none (U+00A0, U+3000 …).
 */
export function unseenAt(codePoints: readonly number[]): number {
  return codePoints.findIndex((codePoint) => !isPlainCodePoint(codePoint) || isOtherSpace(codePoint));
}

function isOtherSpace(codePoint: number): boolean {
  return codePoint > 0x7f && /\p{Zs}/u.test(String.fromCodePoint(codePoint));
}

/** The code points of a text; an unpaired surrogate is one code point of its own. */
export function codePointsOf(text: string): number[] {
  const codePoints: number[] = [];
  for (const character of text) codePoints.push(character.codePointAt(0) ?? 0);
  return codePoints;
}

/** Length in UTF-8 of one code point. */
export function utf8Length(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}

/** Length in UTF-8 of a text, in bytes. */
export function utf8Bytes(text: string): number {
  let bytes = 0;
  for (const character of text) bytes += utf8Length(character.codePointAt(0) ?? 0);
  return bytes;
}
