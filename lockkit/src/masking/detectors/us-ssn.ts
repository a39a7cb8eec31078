// United States social security numbers (opt-in): AAA-GG-SSSS with one separator, or nine digits behind a word that
// says so. Numbers that were never issued (000, 666, 9xx, 00, 0000) are none.
import { isDigit, isWord } from '../characters.js';
import type { Detector, Emit, Look, View } from '../detector.js';

const LABEL = /(?:ssn|social security)(?: ?(?:number|no\.?|num|#))?["']?\s?(?:[:=#]|is)?\s?["']?$/i;

export const usSsn: Detector = {
  name: 'us_ssn',
  literals: [],
  open: openSsn,
  normalise: (value) => value.replace(/\D/g, ''),
};

function openSsn(view: View, emit: Emit): Look {
  return {
    digits: (start, end) => {
      const { bytes, text } = view;
      if (isWord(bytes[start - 1])) return;
      if (end - start === 9) {
        if (
          isIssued(text.slice(start, end)) &&
          !isWord(bytes[end]) &&
          LABEL.test(text.slice(Math.max(0, start - 32), start))
        )
          emit(start, end, 'labelled number');
        return;
      }
      if (end - start !== 3) return;
      const written = /^\d{3}([- .])\d{2}\1\d{4}(?!\w)/.exec(text.slice(start, start + 12));
      if (written === null || isJoined(view, start, start + 11, written[1] as string)) return;
      if (isIssued(written[0].replace(/\D/g, ''))) emit(start, start + 11, 'grouped number');
    },
  };
}

function isJoined(view: View, start: number, end: number, separator: string): boolean {
  const code = separator.charCodeAt(0);
  return (
    (view.bytes[start - 1] === code && code !== 0x20) ||
    (code !== 0x2e && view.bytes[end] === code && isDigit(view.bytes[end + 1]) && code !== 0x20)
  );
}

function isIssued(digits: string): boolean {
  return !/^(?:000|666|9)/.test(digits) && digits.slice(3, 5) !== '00' && digits.slice(5) !== '0000';
}
