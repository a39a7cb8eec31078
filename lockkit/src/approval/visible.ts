// Text from outside made visible (docs/decisions.md, "Human"): what reaches a terminal is what a human sees, nothing
// acts, hides or reorders. Called by every renderer for every piece of a screen. The form can be read back: a literal
// backslash is doubled, so no text can pretend to hold an escape or to hold none.
import { encodeEscape, isClear, isMark, type Place } from './code-point.js';
import { displayWidth } from './display-width.js';
import { findMixedLetters } from './mixed-script.js';

/** A piece that must not be broken when a line wraps: a character with its marks, or an escape. */
export interface Unit {
  readonly text: string;
  readonly width: number;
}

/** A visible text in units, and how many code points of the source it leaves out. */
export interface Visible {
  readonly units: readonly Unit[];
  readonly hidden: number;
}

/** Most code points of one piece that are shown; the count of the rest stands in their place. */
const MAX_SHOWN_CODE_POINTS = 8192;

const NEWLINE_MARK = '⏎';
const MAX_BLANKS = 8;
const MAX_ESCAPES = 4;
const MAX_MARKS = 2;

/** Visible text as a string; see makeVisible. */
export function visibleText(text: string, place: Place = 'line'): string {
  return joinUnits(makeVisible(text, place).units);
}

export function joinUnits(units: readonly Unit[]): string {
  return units.map((unit) => unit.text).join('');
}

/**
 * Controls, bidi, invisible and look-alike code points become `\xNN` or `\u{…}`, long runs of blanks or escapes one
 * counted escape, a newline its mark, marks past two a character escapes. Cut at `max` code points, never inside one.
 */
export function makeVisible(text: string, place: Place, max: number = MAX_SHOWN_CODE_POINTS): Visible {
  const characters = [...text];
  const hidden = Math.max(0, characters.length - max);
  const units = toUnits(hidden > 0 ? characters.slice(0, max) : characters, place);
  if (hidden > 0) units.push(...plainUnits(`…[${hidden} more characters not shown]`));
  return { units, hidden };
}

/** Units of a text that needs no escaping. */
export function plainUnits(text: string): readonly Unit[] {
  return [...text].map((character) => ({ text: character, width: displayWidth(character) }));
}

/** One pass over the code points; `marks` counts those drawn over the current character. */
function toUnits(characters: readonly string[], place: Place): Unit[] {
  const units: Unit[] = [];
  const strangers = place === 'static' ? new Set<number>() : findMixedLetters(characters.join(''));
  // Our own text may be as wide as a column; a run of blanks from outside could push something out of sight.
  const blanks = place === 'static' ? Number.POSITIVE_INFINITY : MAX_BLANKS;
  let offset = 0;
  let marks = MAX_MARKS;
  for (let i = 0; i < characters.length;) {
    const character = characters[i] ?? '';
    const clear = isClear(character, place) && !strangers.has(offset);
    const mark = clear && isMark(character);
    const shown = clear && (!mark || marks < MAX_MARKS);
    const count = shown && character !== ' ' ? 1 : countRun(characters, i, shown ? blanks : MAX_ESCAPES);
    if (shown && mark) addMark(units, character);
    else units.push(shown && count === 1 ? clearUnit(character, place) : escapeUnit(character, count));
    marks = nextMarks(marks, mark, clear && /[\p{L}\p{N}]/u.test(character));
    offset += character.length * count;
    i += count;
  }
  return units;
}

function nextMarks(marks: number, isOverBase: boolean, isBase: boolean): number {
  if (isOverBase) return marks + 1;
  return isBase ? 0 : MAX_MARKS;
}

/** How often the code point at `start` repeats, when that is more than `most`; else 1. */
function countRun(characters: readonly string[], start: number, most: number): number {
  let end = start + 1;
  while (end < characters.length && characters[end] === characters[start]) end += 1;
  return end - start > most ? end - start : 1;
}

function addMark(units: Unit[], mark: string): void {
  const base = units.pop();
  if (base !== undefined) units.push({ text: base.text + mark, width: base.width + displayWidth(mark) });
}

function escapeUnit(character: string, count: number): Unit {
  const text = character === '\n' && count === 1 ? NEWLINE_MARK : encodeEscape(character, count);
  return { text, width: [...text].length };
}

function clearUnit(character: string, place: Place): Unit {
  const quoted = place === 'argument' || place === 'program';
  const doubled = place !== 'static' && (character === '\\' || (quoted && character === "'"));
  const text = doubled ? `\\${character}` : character;
  return { text, width: displayWidth(character) + (doubled ? 1 : 0) };
}
