// French social security numbers (opt-in): sex, year, month, department, commune, order and a key (97 − n mod 97);
// the Corsican departments 2A and 2B count as 19 and 18.
import { isWord } from '../characters.js';
import type { Detector, Emit, Look, View } from '../detector.js';

const WRITTEN = /^[1-478] ?\d{2} ?(?:0[1-9]|1[0-2]|[2-9]\d) ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}(?!\w)/i;

export const frNir: Detector = {
  name: 'fr_nir',
  literals: [],
  open: openNir,
  normalise: (value) => value.replace(/ /g, '').toUpperCase(),
};

function openNir(view: View, emit: Emit): Look {
  return {
    digits: (start, end) => {
      if (isWord(view.bytes[start - 1]) || view.bytes[start - 1] === 0x2e) return;
      const length = end - start;
      if (length !== 1 && length !== 15 && length !== 13 && length !== 6) return;
      const written = WRITTEN.exec(view.text.slice(start, start + 24))?.[0];
      if (written !== undefined && isNir(frNir.normalise(written)))
        emit(start, start + written.length, 'key');
    },
  };
}

function isNir(value: string): boolean {
  const body = value.slice(0, 13).replace('2A', '19').replace('2B', '18');
  return /^\d{13}$/.test(body) && 97 - Number(BigInt(body) % 97n) === Number(value.slice(13));
}
