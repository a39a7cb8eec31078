// Dutch citizen service numbers (opt-in): nine digits that pass the eleven test. One number in eleven passes by
// chance, so bare digits need a word beside them; dotted and spaced groups do not.
import { isWord } from '../characters.js';
import type { Detector, Emit, Look, View } from '../detector.js';

const LABEL =
  /(?:bsn|burgerservicenummer|sofi(?:-?nummer)?|citizen service number)["']?\s?(?:nr\.?|number|nummer)?\s?(?:[:=#]|is)?\s?["']?$/i;

export const nlBsn: Detector = {
  name: 'nl_bsn',
  literals: [],
  open: openBsn,
  normalise: (value) => value.replace(/\D/g, ''),
};

function openBsn(view: View, emit: Emit): Look {
  return {
    digits: (start, end) => {
      const { bytes, text } = view;
      if (isWord(bytes[start - 1]) || bytes[start - 1] === 0x2e) return;
      if (end - start === 9 || end - start === 8) {
        const isLabelled = LABEL.test(text.slice(Math.max(0, start - 40), start));
        if (isLabelled && !isWord(bytes[end]) && isBsn(text.slice(start, end)))
          emit(start, end, 'labelled number');
        return;
      }
      if (end - start !== 4) return;
      const written = /^\d{4}\.\d{2}\.\d{3}(?![\w.])/.exec(text.slice(start, start + 13))?.[0];
      if (written !== undefined && isBsn(nlBsn.normalise(written)))
        emit(start, start + written.length, 'grouped number');
    },
  };
}

function isBsn(digits: string): boolean {
  const nine = digits.padStart(9, '0');
  if (/^0+$/.test(nine)) return false;
  let sum = 0;
  for (let i = 0; i < 9; i++) sum += (nine.charCodeAt(i) - 0x30) * (i === 8 ? -1 : 9 - i);
  return sum % 11 === 0;
}
