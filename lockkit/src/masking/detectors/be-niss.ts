// Belgian national register numbers (opt-in): YY.MM.DD-XXX.CC with a check number (97 − n mod 97, for births from
// 2000 with a 2 in front). Bare digits count only when date and check both hold.
import { isWord } from '../characters.js';
import type { Detector, Emit, Look, View } from '../detector.js';

export const beNiss: Detector = {
  name: 'be_niss',
  literals: [],
  open: openNiss,
  normalise: (value) => value.replace(/\D/g, ''),
};

function openNiss(view: View, emit: Emit): Look {
  return {
    digits: (start, end) => {
      if (isWord(view.bytes[start - 1]) || view.bytes[start - 1] === 0x2d || view.bytes[start - 1] === 0x2e)
        return;
      const length = end - start;
      if (length !== 2 && length !== 6 && length !== 11) return;
      const written =
        /^(?:\d{11}|\d{6}[- ]\d{3}[-. ]\d{2}|\d{2}([. -])\d{2}\1\d{2}[- ]\d{3}[-. ]\d{2})(?![\w])/.exec(
          view.text.slice(start, start + 16),
        )?.[0];
      if (written !== undefined && isNiss(written.replace(/\D/g, '')))
        emit(start, start + written.length, 'check number');
    },
  };
}

/** Months of bis numbers are 20 or 40 higher. */
function isNiss(digits: string): boolean {
  const month = Number(digits.slice(2, 4)) % 20;
  const day = Number(digits.slice(4, 6));
  if (month > 12 || day > 31) return false;
  const check = Number(digits.slice(9));
  const base = Number(digits.slice(0, 9));
  return 97 - (base % 97) === check || 97 - ((2_000_000_000 + base) % 97) === check;
}
