// International bank account numbers, compact or in groups, in any case. Country, length and structure come from
// ibantools' registry, the check is mod 97. Called per digit run; looks only where two letters stand before it.
import { countrySpecs, isValidIBAN } from 'ibantools';
import { isAlnum, isLetter } from '../characters.js';
import type { Detector, Emit, Look, View } from '../detector.js';

const LENGTHS = new Map<string, number>();
for (const [country, spec] of Object.entries(countrySpecs)) {
  if (spec.chars !== null && spec.chars !== undefined && spec.IBANRegistry === true)
    LENGTHS.set(country, spec.chars);
}

export const iban: Detector = {
  name: 'iban',
  literals: [],
  open: openIban,
  normalise: (value) => value.replace(/[^A-Za-z0-9]/g, '').toUpperCase(),
};

function openIban(view: View, emit: Emit): Look {
  const { bytes } = view;
  return {
    digits: (start, end) => {
      if (end - start < 2 || !isLetter(bytes[start - 1]) || !isLetter(bytes[start - 2])) return;
      const from = start - 2;
      if (isAlnum(bytes[from - 1])) return;
      const to = ibanEnd(view, from);
      if (to > 0) emit(from, to, 'IBAN');
    },
  };
}

function ibanEnd(view: View, from: number): number {
  const length = LENGTHS.get(view.text.slice(from, from + 2).toUpperCase());
  if (length === undefined) return 0;
  const to = collect(view, from, length);
  if (to === 0 || isAlnum(view.bytes[to])) return 0;
  return isValidIBAN(iban.normalise(view.text.slice(from, to))) ? to : 0;
}

/** Index after `length` letters and digits that have at most one separator between two of them, or 0. */
function collect(view: View, from: number, length: number): number {
  let at = from;
  for (let taken = 0; taken < length; at++) {
    const byte = view.bytes[at];
    if (isAlnum(byte)) taken += 1;
    else if (!isSeparator(byte) || !isAlnum(view.bytes[at + 1])) return 0;
  }
  return at;
}

function isSeparator(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x2d || byte === 0x2e || byte === 0x2f;
}
