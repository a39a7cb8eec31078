import { describe, expect, it } from 'vitest';
import type { DetectorName } from '../detector.js';
import { foundBy } from '../test/found-by.js';

type Row = readonly [DetectorName, string, string | null];

const ROWS: readonly Row[] = [
  ['us_ssn', "Here's my SSN: 460-89-9847", '460-89-9847'],
  ['us_ssn', 'ssn=460899847', '460899847'],
  ['us_ssn', '666-12-3456', null],
  ['us_ssn', '900-12-3456', null],
  ['us_ssn', '123-00-4567', null],
  ['us_ssn', '2026-11-30', null],
  ['us_ssn', '460899847', null],
  ['us_ssn', '1-460-89-9847-2', null],
  ['be_niss', 'NISS 85.07.30-033.28', '85.07.30-033.28'],
  ['be_niss', '85073003328', '85073003328'],
  ['be_niss', '85073003329', null],
  ['be_niss', '85.13.30-033.28', null],
  ['fr_nir', 'NIR 2 55 08 14 168 025 38', '2 55 08 14 168 025 38'],
  ['fr_nir', '255081416802538', '255081416802538'],
  ['fr_nir', '255081416802539', null],
  ['nl_bsn', 'BSN: 111222333', '111222333'],
  ['nl_bsn', 'burgerservicenummer 123456782', '123456782'],
  ['nl_bsn', '111222333', null],
  ['nl_bsn', 'BSN 111222334', null],
  ['eu_vat', 'VAT BE0428759497', 'BE0428759497'],
  ['eu_vat', 'DE136695976', 'DE136695976'],
  ['eu_vat', 'FR40303265045', 'FR40303265045'],
  ['eu_vat', 'NL123456789B01', 'NL123456789B01'],
  ['eu_vat', 'DE136695977', null],
  ['eu_vat', 'BE0428759498', null],
  ['mac', 'link/ether 00:1a:2b:3c:4d:5e brd', '00:1a:2b:3c:4d:5e'],
  ['mac', '00-1A-2B-3C-4D-5E', '00-1A-2B-3C-4D-5E'],
  ['mac', '001a.2b3c.4d5e', '001a.2b3c.4d5e'],
  ['mac', 'AA:BB:CC:DD:EE:FF:00:11:22:33', null],
  ['mac', '10:15:00', null],
];

describe('opt-in detectors', () => {
  it.each(ROWS)('%s in %j: %j', (detector, text, value) => {
    expect(foundBy([detector], text)).toEqual(value === null ? [] : [value]);
  });
});
