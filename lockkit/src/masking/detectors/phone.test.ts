import { getExampleNumber, type CountryCode } from 'libphonenumber-js';
import examples from 'libphonenumber-js/mobile/examples';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foundBy } from '../test/found-by.js';
import { phone } from './phone.js';

const found = (text: string): readonly string[] => foundBy(['phone'], text);

describe('phone', () => {
  it.each([
    ['+14155552671', '+14155552671'],
    ['tel +44 (20) 7123 4567.', '+44 (20) 7123 4567'],
    ['+46 (0)157 548 89', '+46 (0)157 548 89'],
    ['+1 415 555 2671 ext. 12', '+1 415 555 2671 ext. 12'],
    ['0049 30 901820', '0049 30 901820'],
    ['(415) 555-0132', '(415) 555-0132'],
    ['415.555.0132', '415.555.0132'],
    ['090-1234-5678', '090-1234-5678'],
    ['Phone:\n(72) 754-186', '(72) 754-186'],
    ['"phone":"4155550132"', '4155550132'],
    ['call me on 450 0840?', '450 0840'],
    ['416 60 039 office', '416 60 039'],
    ['082 490 1693-Office', '082 490 1693'],
    ['my number (0490 75 40 81)', '0490 75 40 81'],
    ['What is your phone? 416 60 039', '416 60 039'],
    ['Contact Ann Lee at 082 490 1693', '082 490 1693'],
    ['a missed call from 60-56-85-91', '60-56-85-91'],
    ['Dial 416 60 039 for help', '416 60 039'],
    ['whatsapp me: 699 956 915', '699 956 915'],
    ['+1\u00a0415\u00a0555\u00a02671', '+1\u00a0415\u00a0555\u00a02671'],
  ])('hides the number in %j', (text, value) => {
    expect(found(text)).toEqual([value]);
  });

  it.each([
    ['issuecomment-4345955198'],
    ['ts=1748503543'],
    ['2026-06-02 20:17:45,123'],
    ['inode 4155550132 blocks 8'],
    ['Mem: 32780304 1234567 890123'],
    ['eth0 RX 123 456 7890'],
    ['[30/Nov/2026:10:15:00 +0000]'],
    ['UTC+02:00'],
    ['+1748503543 bytes'],
    ['called at 2026-06-02 20:17'],
    ['Mobile/15E148 Safari/604.1'],
    ['telnet 1234567'],
    ['system call 1234567'],
    ['text from 1234567 to 2345678'],
    ['message from 2026-06-02 20:17'],
    ['call from 10.0.0.12'],
    ['phone (1234)'],
    ['system call 100 200 300'],
    ['text 100 200 300 400'],
    ['message 10 20 30 40'],
    ['call 401 020 304 eax'],
    ['Call Handler at 4202592'],
    ['Message Queue at 12345678'],
    ['sms from 1000-2000 queued'],
    ['mobile from 1024-65535'],
    ['text from 2026 11 30'],
    ['415-555-0132-99'],
  ])('leaves %j', (text) => {
    expect(found(text)).toEqual([]);
  });

  it('hides the example number of every country in its international form', () => {
    const countries = Object.keys(examples) as CountryCode[];
    fc.assert(
      fc.property(fc.constantFrom(...countries), (country) => {
        const written = getExampleNumber(country, examples)?.formatInternational() ?? '';
        expect(found(`x ${written} y`)).toEqual([written]);
      }),
      { numRuns: 250 },
    );
  });

  it('has one normal form for every grouping', () => {
    expect(phone.normalise('+44 20 7946-0958')).toBe(phone.normalise('+442079460958'));
  });
});
