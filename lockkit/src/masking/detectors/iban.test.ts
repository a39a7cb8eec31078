import { countrySpecs, isValidIBAN } from 'ibantools';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foundBy } from '../test/found-by.js';

const found = (text: string): readonly string[] => foundBy(['iban'], text);

/** An IBAN with right check digits around this account number. */
function complete(country: string, bban: string): string {
  const digits = [...`${bban}${country}00`].map((char) => parseInt(char, 36)).join('');
  return `${country}${String(98n - (BigInt(digits) % 97n)).padStart(2, '0')}${bban}`;
}

describe('iban', () => {
  it.each([
    ['IBAN:DE89370400440532013000,BIC:COBADEFF', 'DE89370400440532013000'],
    ['gb82west12345698765432', 'gb82west12345698765432'],
    ['GB82 WEST 1234 5698 7654 32', 'GB82 WEST 1234 5698 7654 32'],
    ['GB82-WEST-1234-5698-7654-32', 'GB82-WEST-1234-5698-7654-32'],
    ['DE89370400440532013000 EUR PAYMENT', 'DE89370400440532013000'],
  ])('hides the number in %j', (text, value) => {
    expect(found(text)).toEqual([value]);
  });

  it.each([
    ['DE89370400440532013001'],
    ['XX89370400440532013000'],
    ['BE6853900754703'],
    ['DE89 '.repeat(20)],
    ['xDE89370400440532013000'],
  ])('leaves %j', (text) => {
    expect(found(text)).toEqual([]);
  });

  it('agrees with ibantools on every country of the registry', () => {
    const numeric = Object.entries(countrySpecs).filter(
      ([, spec]) =>
        spec.IBANRegistry === true && spec.chars !== null && spec.bban_regexp?.includes('A-Z') === false,
    );
    expect(numeric.length).toBeGreaterThan(30);
    fc.assert(
      fc.property(fc.constantFrom(...numeric), fc.bigInt(0n, 10n ** 30n), (entry, seed) => {
        const [country, spec] = entry;
        const length = (spec.chars ?? 0) - 4;
        const iban = complete(country, String(seed).padStart(length, '7').slice(0, length));
        expect(found(`x ${iban} y`)).toEqual(isValidIBAN(iban) ? [iban] : []);
      }),
      { numRuns: 300 },
    );
  });
});
