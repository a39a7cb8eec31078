// Telephone numbers that need no word beside them: with a plus sign or an exit code, checked by libphonenumber, or in
// a national form. Called by the phone detector for digit runs; `mayBeNational` keeps most runs away from the rest.
import { isPossiblePhoneNumber, isValidPhoneNumber } from 'libphonenumber-js/min';
import { isDigit, isWord } from '../characters.js';
import type { View } from '../detector.js';
import { looksLikeOther, MIN_DIGITS, readNumber, shorten, type WrittenNumber } from './phone-number.js';

const NATIONAL_FORMS: readonly RegExp[] = [
  /^(?:1[-. ])?[2-9]\d{2}([-.])[2-9]\d{2}\1\d{4}$/,
  /^[1-9]\d{2}-\d{3}-\d{4}$/,
  /^(?:1[-. ]?)?\([2-9]\d{2}\) ?[2-9]\d{2}[-. ]\d{4}$/,
  /^\(0\d{1,4}\) ?\d{2,4}(?:[ -]\d{2,4}){1,3}$/,
  /^\(\d{2,3}\) \d{4,5}-\d{4}$/,
  /^0\d{1,4}-\d{2,4}-\d{3,4}$/,
  /^0[1-9](?:\.\d\d){4}$/,
  /^07\d{3} \d{3} ?\d{3}$/,
  /^0\d{2} \d{4} \d{4}$/,
];
/** `00` in place of the plus sign. */
const EXIT_CODE = /^00 ?[1-9]\d{0,2}(?:[ -]\(?\d{2,7}\)?){2,4}$/;
const EXTENSION = /[ ,]{0,2}(?:x|ext\.?|extension|#) ?\d{1,6}$/i;
const MIN_EXIT_DIGITS = 11;
/** How many groups that follow a number may be taken for a part of it. */
const MAX_ATTEMPTS = 4;

/** The number whose plus sign stands at `plus`, shortened until its length fits its country. */
export function internationalNumber(view: View, plus: number): WrittenNumber | undefined {
  const before = view.bytes[plus - 1];
  if (isWord(before) || before === 0x2b) return undefined;
  let number = readNumber(view, plus);
  for (let attempt = 0; attempt < MAX_ATTEMPTS && number !== undefined; attempt++) {
    if (number.digits.length < MIN_DIGITS || looksLikeOther(view, number)) return undefined;
    if (isInternational(view, number)) return number;
    number = shorten(view, number);
  }
  return undefined;
}

/** An added line of a diff also starts with a plus sign: there, and without groups, the number must be a valid one. */
function isInternational(view: View, number: WrittenNumber): boolean {
  const written = view.text.slice(number.start, number.end).replace(EXTENSION, '').replace('(0)', '');
  const dialled = `+${written.replace(/\D/g, '')}`;
  const before = view.bytes[number.start - 1];
  const startsLine = before === undefined || before === 0x0a;
  return number.groups.length === 1 && startsLine
    ? isValidPhoneNumber(dialled)
    : isPossiblePhoneNumber(dialled);
}

/** A first look at the digit run at [start, end): can one of the national forms begin here? */
export function mayBeNational(bytes: Uint8Array, start: number, end: number): boolean {
  const before = bytes[start - 1];
  const after = bytes[end];
  if (before === 0x28) return after === 0x29 && end - start <= 5;
  if (after !== 0x2d && after !== 0x2e && after !== 0x20) return false;
  const first = bytes[start];
  const length = end - start;
  if (first === 0x30) return length >= 2 && length <= 5 && isDigit(bytes[end + 1]);
  if (length === 1) return first === 0x31 && (isDigit(bytes[end + 3]) || bytes[end + 1] === 0x28);
  return length === 3 && after !== 0x20 && isDigit(bytes[end + 3]) && bytes[end + 4] === after;
}

/** The number in a national form that begins at `start` (its bracket, if any). */
export function nationalNumber(view: View, start: number): WrittenNumber | undefined {
  if (isJoined(view, start)) return undefined;
  const number = readNumber(view, start);
  if (number === undefined || number.digits.length < MIN_DIGITS || looksLikeOther(view, number))
    return undefined;
  if (view.bytes[number.end] === 0x2d) return undefined;
  const written = view.text.slice(start, number.end).replace(EXTENSION, '');
  const isForm = NATIONAL_FORMS.some((form) => form.test(written));
  return isForm || isExitCode(written, number) ? number : undefined;
}

function isExitCode(written: string, number: WrittenNumber): boolean {
  if (number.digits.length < MIN_EXIT_DIGITS || !EXIT_CODE.test(written)) return false;
  return isPossiblePhoneNumber(`+${number.digits.slice(2)}`);
}

/** Part of a word, a path, a decimal, a range, or a column of numbers. */
function isJoined(view: View, start: number): boolean {
  const before = view.bytes[start - 1];
  if (isWord(before)) return true;
  if (before === 0x20) return isDigit(view.bytes[start - 2]);
  return before === 0x2d || before === 0x2e || before === 0x2f || before === 0x3a || before === 0x2b;
}
