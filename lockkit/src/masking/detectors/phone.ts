// Telephone numbers: international ones by their plus sign, national ones by a form that little else has, and any
// plausible digits next to a word such as "phone" or "call me on". Counters, timestamps and identifiers have as many
// digits, so without a sign, a form or a word there is no number.
import type { Detector, Emit, Look, View } from '../detector.js';
import { CONTEXT_WORDS, fitsGap, isGapAfter, mayPrecede } from './phone-context.js';
import { internationalNumber, mayBeNational, nationalNumber } from './phone-forms.js';
import { looksLikeOther, MIN_DIGITS, readNumber, type WrittenNumber } from './phone-number.js';
import { isWord } from '../characters.js';

const MAX_GAP = 36;
const MAX_RUN = 15;
const BEFORE_WORD = /(?:^|[^\w.+(/-])([+(]?\d[\d .\-/()]{5,28}\d(?:x\d{1,6})?)(?: ?- ?| \(?)$/;

export const phone: Detector = {
  name: 'phone',
  literals: CONTEXT_WORDS,
  open: openPhone,
  normalise: (value) => value.replace(/(?:x|ext\.?|extension|#) ?\d{1,6}$/i, '').replace(/[^+\d]/g, ''),
};

function openPhone(view: View, emit: Emit): Look {
  const { bytes } = view;
  let seen = 0;
  const found = (number: WrittenNumber | undefined, why: string): void => {
    if (number === undefined) return;
    seen = Math.max(seen, number.end);
    emit(number.start, number.end, why);
  };
  return {
    digits: (start, end) => {
      if (start < seen || end - start > MAX_RUN) return;
      const before = bytes[start - 1];
      if (before === 0x2b) found(internationalNumber(view, start - 1), 'international number');
      else if (before === 0x28 && bytes[start - 2] === 0x2b) {
        found(internationalNumber(view, start - 2), 'international number');
      } else if (mayBeNational(bytes, start, end)) {
        found(nationalNumber(view, before === 0x28 ? start - 1 : start), 'national form');
      }
    },
    literal: (index, start, end) => {
      found(afterWord(view, index, start, end), 'beside a word');
      if (mayPrecede(index)) found(beforeWord(view, start, end), 'beside a word');
    },
  };
}

/** `Phone: 450 0840`, `call me on 9472 7916`. */
function afterWord(view: View, index: number, start: number, end: number): WrittenNumber | undefined {
  const ahead = view.text.slice(end, end + MAX_GAP);
  const gap = ahead.search(/[+(\d]/);
  if (gap < 0 || !isGapAfter(index, ahead.slice(0, gap), view, start)) return undefined;
  // `my number (0490 75 40 81)`: the bracket is the sentence's.
  const isSentence = /^\((?!\d{1,5}\))/.test(ahead.slice(gap));
  const number = readNumber(view, end + gap + (isSentence ? 1 : 0));
  if (number === undefined || number.digits.length < MIN_DIGITS || looksLikeOther(view, number))
    return undefined;
  if (!fitsGap(ahead.slice(0, gap), view.text.slice(number.start, number.end))) return undefined;
  const isBracketed = view.text.slice(number.start, number.end).includes('(');
  const single = number.groups.filter((group, at) => at > 0 && group.length < 2).length;
  return !isBracketed && single > 1 ? undefined : number;
}

/** `416 60 039 office`, `082 490 1693-Office`. */
function beforeWord(view: View, start: number, end: number): WrittenNumber | undefined {
  const after = view.bytes[end];
  if (isWord(after) || after === 0x3a || after === 0x3d) return undefined;
  const written = BEFORE_WORD.exec(view.text.slice(Math.max(0, start - 40), start));
  const own = written?.[1];
  if (written === null || own === undefined || /^(?:19|20)\d\d-\d\d-/.test(own)) return undefined;
  const from = start - written[0].length + written[0].indexOf(own);
  const number = readNumber(view, from);
  if (number === undefined || number.digits.length < MIN_DIGITS) return undefined;
  return number.end - from < own.length ? undefined : number;
}
