// Which code points may stand on a screen as they are. The one table behind all visible text; called by visible.ts.
// In doubt a code point is not clear: what a human cannot see, or could take for something else, is escaped.
import { isOld } from './old-characters.js';

/** Controls, formats, surrogates, private use, unassigned, separators but the space, and all that shows as nothing. */
const UNSEEN =
  /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Me}]|[\u2800\ufffc]|\u{16fe4}|\u{1d159}|(?! )\p{Zs}/u;

/** Signs that the renderers speak with: frame, gutter, warning, newline mark, separator, placeholder brackets. */
const OURS = /[\u21b3\u2500-\u259f\u25b2\u23ce\u00b7\u27e6\u27e7]/u;
const PLACEHOLDER = /[\u27e6\u27e7]/u;

/** Blocks written from right to left, digits of them included: they would reorder what stands beside them. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** What an argument may hold beside ASCII: letters, digits, marks. Look-alikes of quotes and spaces are neither. */
const ARGUMENT_TEXT = /[\p{Ll}\p{Lu}\p{Lt}\p{Lo}\p{Nd}\p{M}\u3005\u30fc]/u;

/** Where a text stands: `static` ours, `line` and `masked` from outside, `argument` between quotes, `program` argv[0]. */
export type Place = 'static' | 'line' | 'masked' | 'argument' | 'program';

/** Whether this one code point may be shown as it is at this place; what surrounds it is not looked at. */
export function isClear(character: string, place: Place): boolean {
  if (character >= ' ' && character <= '~') return true;
  if (UNSEEN.test(character)) return false;
  if (place === 'static') return true;
  if (RIGHT_TO_LEFT.test(character) || !isOld(character)) return false;
  if (place === 'program') return false;
  if (place === 'argument') return ARGUMENT_TEXT.test(character);
  return !OURS.test(character) || (place === 'masked' && PLACEHOLDER.test(character));
}

/** A mark that is drawn over the character before it. */
export function isMark(character: string): boolean {
  return /\p{M}/u.test(character);
}

/** `\xNN` up to U+00FF, else `\u{…}`; a run of the same code point is one escape with its count, `\u{20*300}`. */
export function encodeEscape(character: string, count: number): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16);
  if (count > 1) return `\\u{${hex}*${count}}`;
  return hex.length <= 2 ? `\\x${hex.padStart(2, '0')}` : `\\u{${hex}}`;
}
