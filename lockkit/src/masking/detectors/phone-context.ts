// The words beside which digits are a telephone number, and what may stand between the word and the digits.
// Called by the phone detector.
import { isLetter } from '../characters.js';
import type { View } from '../detector.js';

/** Nouns: the number follows directly, after a colon or on the next line. */
const NOUNS = [
  'phone',
  'phones',
  'telefon',
  'telefono',
  'telefoon',
  'tel',
  'mobile',
  'mobil',
  'handy',
  'cell',
  'cellular',
  'fax',
  'desk',
  'office',
  'whatsapp',
  'whatsapp me',
  'msisdn',
  'sms',
  'gsm',
  'hotline',
  'callback',
  'number is',
  'my number',
  'new number',
  'your number',
  'his number',
  'her number',
  'their number',
  'our number',
  'contact number',
] as const;

/** Verbs: at least one small word (me, on, at, to) stands between. */
const VERBS = [
  'call',
  'calling',
  'dial',
  'ring',
  'text',
  'contact',
  'reach',
  'reached',
  'answering',
  'message',
  'messages',
  'registered',
] as const;

export const CONTEXT_WORDS: readonly string[] = [...NOUNS, ...VERBS];

/** Words that also follow their number. */
const FOLLOWING = new Set(
  ['phone', 'tel', 'mobile', 'cell', 'fax', 'desk', 'office'].map((w) => CONTEXT_WORDS.indexOf(w)),
);

const NOUN_GAP =
  /^(?:[ _-]?(?:phone|number|numbers|num|no\.?|nr\.?|line|direct|work|home))?[_a-z]{0,2}["'\])]{0,2}\s{0,3}(?:[:=#>.?-]|=>|is|at|on|to|was|from)?:?\s{0,4}["'[]{0,2}$/i;
const VERB_GAP =
  /^(?: (?:me|us|from|him|her|them|you|back|now|again|my|our|your|his|their|the|at|on|to|via|by|is|phone|mobile|cell|number|office|directly|please|out)){1,6}:? {1,2}$/i;
/** `contact Ann Lee at`, `reach Bob on`. */
const NAMED_GAP = /^ (?:[A-Z][a-z.'-]{1,20} ){1,3}(?:at|on|under|via) $/;
/** `call 555-0132`. */
const DIALLED = /^ (?:\d{3}-\d{4}|0\d)/;
/** `dial 416 60 039`: after what nothing but a telephone does. */
const DIALLED_GROUPS = /^ (?:\(\d{2,4}\) ?\d|\d{2,4}(?:[ -]\d{2,4}){2,4}(?![\w-]))/;
const DIALLED_LENGTH = 26;
/** Where a number of one piece, a range or a date is more likely than a number to call. */
const LOOSE_GAP = /\bfrom\b|^ [A-Z]/;
const GROUPED = /^(?:[+(]|0\d|\d{2,4}(?:[ -]\d{2,4}){2,4}$)/;
/** What else people give a number of. */
const OTHER_NUMBER =
  /(?:card|credit|account|security|licen[cs]e|passport|id|order|ticket|tracking|reference|case|invoice|serial|policy|routing|customer|member|employee|tax|bank|flight|room|version|build|port|line|page|part|model|\.|\?|!)['"]? ?$/i;
const BARE_VERB_GAP = /^(?: (?:with|number|phone|mobile|no\.?|to|is))?:? $/i;

export function mayPrecede(index: number): boolean {
  return FOLLOWING.has(index);
}

/** May `gap` stand between the context word with this index, which starts at `start`, and the number? */
export function isGapAfter(index: number, gap: string, view: View, start: number): boolean {
  const word = CONTEXT_WORDS[index] as string;
  if (isLetter(view.bytes[start - 1]) && !glues(word, view, start)) return false;
  if (word === 'number is' && OTHER_NUMBER.test(view.text.slice(Math.max(0, start - 24), start)))
    return false;
  if (index < NOUNS.length) return NOUN_GAP.test(gap);
  if (word === 'registered') return BARE_VERB_GAP.test(gap) || VERB_GAP.test(gap);
  return (
    VERB_GAP.test(gap) ||
    NAMED_GAP.test(gap) ||
    (gap === ' ' &&
      isDialled(word, view.text.slice(start + word.length, start + word.length + DIALLED_LENGTH)))
  );
}

function isDialled(word: string, after: string): boolean {
  return DIALLED.test(after) || ((word === 'dial' || word === 'ring') && DIALLED_GROUPS.test(after));
}

/** May `written` be the number that such a gap leads to? */
export function fitsGap(gap: string, written: string): boolean {
  return (
    !LOOSE_GAP.test(gap) || (GROUPED.test(written) && !/^(?:19|20)\d\d[ -]\d\d?[ -]\d\d?$/.test(written))
  );
}

/** `telephone`, `workMobile`, `Handyphone`: a long word may be the end of a longer one, or begin with a capital. */
function glues(word: string, view: View, start: number): boolean {
  const first = view.bytes[start] as number;
  return word === 'phone' || (first >= 0x41 && first <= 0x5a && word.length > 2);
}
