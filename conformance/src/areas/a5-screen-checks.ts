// What a case of area A5 may demand of a rendered screen, one check each. Called by the judges of a5-approval-screen.
// A demand that is not known fails: it was not checked.
import type { Json } from '../kind.js';

export interface Rendered {
  /** The hostile texts: the value of a `render` case, the arguments of a `render_argv` case. */
  readonly values: readonly string[];
  readonly text: string;
  /** The whole screen; rows separated by LF. */
  readonly screen: string;
  readonly columns: number;
}

export type Check = readonly [name: string, wanted: Json];

/** Code points that act, hide, reorder or pass for another, the newline aside (rows are checked for it). */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/u;
/** Signs of the screen itself: its frame and the brackets of placeholders. */
const SCREEN_SIGNS = /[\u2500-\u257f\u27e6\u27e7]/u;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/u;
const ESCAPE =
  /\\(?:x[0-9a-f]{2}|u\{?[0-9a-f]+|[abefnrtv0]|\d{3})|\^[@-_]|[⏎␊↵\u2400-\u2426\u25a1\ufffd]|<U\+[0-9a-f]+>/iu;
const FRAME = /^(?:[╭╰]─|│|\s{2}↳)/u;
const HIDDEN_COUNT = /\d+ (?:more )?(?:characters|columns|bytes)/u;

/** null when every demand is met, else the name of the first that is not. */
export function judgeScreen(rendered: Rendered, checks: readonly Check[]): string | null {
  if (!hasWholeFrame(rendered)) return 'a row is outside of the frame';
  const failed = checks.find(([name, wanted]) => CHECKS[name]?.(rendered, wanted) !== true);
  return failed === undefined ? null : `${failed[0]} is not met`;
}

const CHECKS: Readonly<Record<string, (rendered: Rendered, wanted: Json) => boolean>> = {
  raw_emitted: ({ values, screen }, wanted) => values.some((value) => isRawIn(value, screen)) === wanted,
  visible_escape: ({ screen }, wanted) => ESCAPE.test(screen) === wanted,
  tail_visible_or_marked: ({ values, screen }) =>
    isMarked(screen) || values.every((value) => showsTail(value, screen)),
  full_text_reachable: showsWhole,
  hidden_part_marked: showsWhole,
  valid_unicode: ({ screen }) => !/\p{Cs}/u.test(screen),
  rest_visible: ({ values, screen }) =>
    values.every((value) => value.split('\n').every((line) => joinRows(screen).includes(line))),
  argument_isolated: ({ screen }) =>
    !RIGHT_TO_LEFT.test(screen.replace(/[\u2066-\u2068][^\u2069\n]*\u2069/gu, '')),
  empty_argument_visible: ({ text }) => /''|""|⟨⟩|∅/u.test(text),
  distinguishable_from: ({ text }, other) => !isNaiveJoin(text, other),
  unambiguous: ({ values, text }) => values.every((value) => !/['"\\]/.test(value) || !text.includes(value)),
  mixed_script_marked: ({ values, text }) =>
    values.every((value) => !isMixed(value) || !text.includes(value)),
  font_hint: ({ text }) => text !== '',
  height_bounded: ({ screen }) => !/\p{M}{5}/u.test(screen),
  wraps_within_frame: fitsFrame,
  frame_intact: fitsFrame,
};

/** Something is hidden, and the screen says how much. */
function isMarked(screen: string): boolean {
  return HIDDEN_COUNT.test(screen);
}

function showsWhole({ values, screen }: Rendered): boolean {
  return isMarked(screen) || values.every((value) => joinRows(screen).includes(value));
}

function isMixed(value: string): boolean {
  return /\p{Script=Latin}/u.test(value) && /\p{L}/u.test(value.replace(/\p{Script=Latin}/gu, ''));
}

function isRawIn(value: string, screen: string): boolean {
  const unseen = [...value].filter((character) => character !== '\n' && UNSEEN.test(character));
  if (unseen.some((character) => screen.includes(character))) return true;
  return SCREEN_SIGNS.test(value) && joinRows(screen).includes(value);
}

/** The rows without their frames, put together as one text. */
function joinRows(screen: string): string {
  return screen
    .split('\n')
    .map((row) => row.replace(/^(?:[╭╰]─ ?|│ (?:┊ )?(?:↳ )?|│| {2}↳ )/u, ''))
    .join('');
}

function showsTail(value: string, screen: string): boolean {
  const words = value.trim().split(/\s+/u);
  return joinRows(screen).includes(words.at(-1) ?? '');
}

function isNaiveJoin(text: string, other: Json): boolean {
  const argv = Array.isArray(other) ? other.map(String) : [];
  return [' ', ',', ', '].some((separator) => text === argv.join(separator));
}

function hasWholeFrame({ screen }: Rendered): boolean {
  return screen.split('\n').every((row) => FRAME.test(row));
}

function fitsFrame({ screen, columns }: Rendered): boolean {
  return screen.split('\n').every((row) => widthOf(row) <= columns);
}

function widthOf(row: string): number {
  const characters = [...row.replace(/\p{M}/gu, '')];
  const wide = characters.filter((character) =>
    /[\p{Script=Han}\p{Script=Hangul}\p{Emoji_Presentation}]/u.test(character),
  );
  return characters.length + wide.length;
}
