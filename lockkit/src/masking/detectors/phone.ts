// Telephone numbers: international ones by their plus sign, national ones by a form that little else has, and any
// plausible digits next to a word such as "phone" or "call me on". Counters, timestamps and identifiers have as many
// digits, so without a sign, a form or a word there is no number.
import { isPossiblePhoneNumber, isValidPhoneNumber } from 'libphonenumber-js/min';
import { isDigit, isWord } from '../characters.js';
import type { Detector, Emit, Look, View } from '../detector.js';
import { CONTEXT_WORDS, isGapAfter, mayPrecede } from './phone-context.js';
import { looksLikeOther, readNumber, shorten, type WrittenNumber } from './phone-number.js';

const MIN_DIGITS = 7;
const MAX_GAP = 36;

/** Forms that are telephone numbers without any word beside them. */
const NATIONAL_FORMS: readonly RegExp[] = [
  /^(?:1[-. ])?[2-9]\d{2}([-.])[2-9]\d{2}\1\d{4}$/,
  /^(?:1[-. ]?)?\([2-9]\d{2}\) ?[2-9]\d{2}[-. ]\d{4}$/,
  /^\(0\d{1,4}\) ?\d{2,4}(?:[ -]\d{2,4}){1,3}$/,
  /^\(\d{2,3}\) \d{4,5}-\d{4}$/,
  /^0\d{1,4}-\d{2,4}-\d{3,4}$/,
  /^0[1-9](?:\.\d\d){4}$/,
  /^07\d{3} \d{3} ?\d{3}$/,
  /^0\d{2} \d{4} \d{4}$/,
  /^00 ?[1-9]\d{0,2}(?:[ -]\(?\d{2,4}\)?){2,4}$/,
];

export const phone: Detector = {
  name: 'phone',
  literals: CONTEXT_WORDS,
  open: openPhone,
  normalise: (value) => value.replace(/(?:x|ext\.?|extension|#) ?\d{1,6}$/i, '').replace(/[^+\d]/g, ''),
};

function openPhone(view: View, emit: Emit): Look {
  let seen = 0;
  const found = (number: WrittenNumber, why: string): void => {
    seen = Math.max(seen, number.end);
    emit(number.start, number.end, why);
  };
  return {
    digits: (start, end) => {
      if (start < seen || end - start > MAX_DIGITS_RUN) return;
      const number = withoutContext(view, start, end);
      if (number !== undefined) found(number, number.plus ? 'international number' : 'national form');
    },
    literal: (index, start, end) => {
      const after = afterWord(view, index, start, end);
      if (after !== undefined) found(after, 'beside a word');
      const before = mayPrecede(index) ? beforeWord(view, start, end) : undefined;
      if (before !== undefined) found(before, 'beside a word');
    },
  };
}

const MAX_DIGITS_RUN = 15;

function withoutContext(
  view: View,
  start: number,
  end: number,
): (WrittenNumber & { readonly plus: boolean }) | undefined {
  const { bytes } = view;
  const before = bytes[start - 1];
  if (before === 0x2b) return international(view, start - 1);
  if (before === 0x28) {
    return bytes[start - 2] === 0x2b ? international(view, start - 2) : national(view, start - 1);
  }
  const after = bytes[end];
  if (after !== 0x2d && after !== 0x2e && after !== 0x20) return undefined;
  if (!isDigit(bytes[end + 1]) && bytes[end + 1] !== 0x28) return undefined;
  return national(view, start);
}

function international(view: View, plus: number): (WrittenNumber & { readonly plus: boolean }) | undefined {
  const before = view.bytes[plus - 1];
  if (isWord(before) || before === 0x2b) return undefined;
  for (let number = readNumber(view, plus); number !== undefined; number = shorten(view, number)) {
    if (number.digits.length < MIN_DIGITS || looksLikeOther(view, number)) return undefined;
    if (isInternational(view, number)) return { ...number, plus: true };
  }
  return undefined;
}

/** An added line of a diff also starts with a plus sign: there, and without groups, the number must be a valid one. */
function isInternational(view: View, number: WrittenNumber): boolean {
  const digits = `+${number.digits.replace(/^(\d{2})0(?=\d{8,9}$)/, isTrunkZero(view, number) ? '$1' : '$10')}`;
  if (number.groups.length > 1) return isPossiblePhoneNumber(digits);
  const before = view.bytes[number.start - 1];
  return before === undefined || before === 0x0a ? isValidPhoneNumber(digits) : isPossiblePhoneNumber(digits);
}

function isTrunkZero(view: View, number: WrittenNumber): boolean {
  return view.text.slice(number.start, number.end).includes('(0)');
}

function national(view: View, start: number): (WrittenNumber & { readonly plus: boolean }) | undefined {
  const before = view.bytes[start - 1];
  if (
    isWord(before) ||
    before === 0x2d ||
    before === 0x2e ||
    before === 0x2f ||
    before === 0x3a ||
    before === 0x2b
  ) {
    return undefined;
  }
  if (before === 0x20 && isDigit(view.bytes[start - 2])) return undefined;
  const number = readNumber(view, start);
  if (number === undefined || number.digits.length < MIN_DIGITS || looksLikeOther(view, number))
    return undefined;
  const written = view.text
    .slice(start, number.end)
    .replace(/[ ,]{0,2}(?:x|ext\.?|extension|#) ?\d{1,6}$/i, '');
  if (view.bytes[number.end] === 0x2d || !NATIONAL_FORMS.some((form) => form.test(written))) return undefined;
  return { ...number, plus: false };
}

/** `Phone: 450 0840`, `call me on 9472 7916`. */
function afterWord(view: View, index: number, start: number, end: number): WrittenNumber | undefined {
  const ahead = view.text.slice(end, end + MAX_GAP);
  const gap = ahead.search(/[+(\d]/);
  if (gap < 0 || !isGapAfter(index, ahead.slice(0, gap), view, start)) return undefined;
  const number = readNumber(view, end + gap);
  if (number === undefined || number.digits.length < MIN_DIGITS || looksLikeOther(view, number))
    return undefined;
  return number.groups.some((group, at) => at > 0 && group.length < 2) &&
    !view.text.slice(number.start, number.end).includes('(')
    ? undefined
    : number;
}

/** `416 60 039 office`, `082 490 1693-Office`. */
function beforeWord(view: View, start: number, end: number): WrittenNumber | undefined {
  if (isWord(view.bytes[end]) || view.bytes[end] === 0x3a || view.bytes[end] === 0x3d) return undefined;
  const behind = view.text.slice(Math.max(0, start - 40), start);
  const written = /(?:^|[^\w.+(/-])([+(]?\d[\d .\-/()]{5,28}\d(?:x\d{1,6})?)(?: ?- ?| \(?)$/.exec(behind);
  if (written === null) return undefined;
  const from = start - written[0].length + written[0].indexOf(written[1] as string);
  const number = readNumber(view, from);
  if (number === undefined || number.digits.length < MIN_DIGITS) return undefined;
  return number.end - from < (written[1] as string).length ||
    /^(?:19|20)\d\d-\d\d-/.test(written[1] as string)
    ? undefined
    : number;
}
