// VAT numbers of the European Union (opt-in), by country prefix and structure; the check digits of the countries
// where they are simple are held too. Hangs on digit runs, looks where a country's letters stand before them.
import { isAlnum } from '../characters.js';
import type { Detector, Emit, Look, View } from '../detector.js';

/** What follows the country's letters (European Commission, VIES). */
const STRUCTURES: Readonly<Record<string, RegExp>> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^[1-9]\d{8}$/,
  DK: /^\d{8}$/,
  EE: /^10\d{7}$/,
  EL: /^\d{9}$/,
  ES: /^(?:[A-Z]\d{7}[A-Z0-9]|\d{8}[A-Z])$/,
  FI: /^\d{8}$/,
  FR: /^[A-HJ-NP-Z0-9]{2}\d{9}$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^(?:\d{7}[A-W][A-I]?|\d[A-Z+*]\d{5}[A-W])$/,
  IT: /^\d{11}$/,
  LT: /^(?:\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^\d{9}B\d{2}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{6,10}$/,
  SE: /^\d{12}$/,
  SI: /^[1-9]\d{7}$/,
  SK: /^\d{10}$/,
  XI: /^\d{9}$/,
};
const WRITTEN = /(?:^|[^A-Za-z0-9])((?:[A-Z]{2}) ?[A-Z]{0,2})$/;

export const euVat: Detector = {
  name: 'eu_vat',
  literals: [],
  open: openVat,
  normalise: (value) => value.replace(/[ .-]/g, '').toUpperCase(),
};

function openVat(view: View, emit: Emit): Look {
  return {
    digits: (start, end) => {
      if (end - start < 2) return;
      const head = WRITTEN.exec(view.text.slice(Math.max(0, start - 6), start))?.[1];
      if (head === undefined) return;
      const tail = /^\d[\dA-Z]*(?:[ .]\d{3}){0,3}/.exec(view.text.slice(start, start + 18))?.[0] ?? '';
      const from = start - head.length;
      const to = start + tail.length;
      if (!isAlnum(view.bytes[to]) && isVat(euVat.normalise(head + tail)))
        emit(from, to, 'structure and check digits');
    },
  };
}

function isVat(value: string): boolean {
  const country = value.slice(0, 2);
  const number = value.slice(2);
  return STRUCTURES[country]?.test(number) === true && holdsCheck(country, number);
}

function holdsCheck(country: string, number: string): boolean {
  switch (country) {
    case 'BE':
      return 97 - (Number(number.slice(0, 8)) % 97) === Number(number.slice(8));
    case 'LU':
      return Number(number.slice(0, 6)) % 89 === Number(number.slice(6));
    case 'FR':
      return (
        !/^\d{2}/.test(number) ||
        (12 + 3 * (Number(number.slice(2)) % 97)) % 97 === Number(number.slice(0, 2))
      );
    case 'DK':
      return weighted(number, [2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0;
    case 'FI':
      return weighted(number, [7, 9, 10, 5, 8, 4, 2, 1]) % 11 === 0;
    case 'PT':
      return (
        weighted(number, [9, 8, 7, 6, 5, 4, 3, 2]) % 11 === (11 - Number(number[8])) % 11 ||
        Number(number[8]) === 0
      );
    case 'DE':
      return isMod11Of10(number);
    default:
      return true;
  }
}

function weighted(number: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, i) => sum + weight * Number(number[i]), 0);
}

function isMod11Of10(number: string): boolean {
  let product = 10;
  for (const digit of number.slice(0, -1)) {
    const sum = (Number(digit) + product) % 10 || 10;
    product = (2 * sum) % 11;
  }
  return (11 - product) % 10 === Number(number.at(-1));
}
