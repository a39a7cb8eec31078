// Every detector by its name. Read by the masker, which opens those that a profile turns on.
import { ALL_DETECTORS, type Detector, type DetectorName } from './detector.js';
import { beNiss } from './detectors/be-niss.js';
import { card } from './detectors/card.js';
import { email } from './detectors/email.js';
import { euVat } from './detectors/eu-vat.js';
import { frNir } from './detectors/fr-nir.js';
import { iban } from './detectors/iban.js';
import { ip } from './detectors/ip.js';
import { mac } from './detectors/mac.js';
import { nlBsn } from './detectors/nl-bsn.js';
import { phone } from './detectors/phone.js';
import { secret } from './detectors/secret.js';
import { usSsn } from './detectors/us-ssn.js';

export const DETECTORS: Readonly<Record<DetectorName, Detector>> = {
  card,
  email,
  iban,
  ip,
  phone,
  secret,
  us_ssn: usSsn,
  be_niss: beNiss,
  fr_nir: frNir,
  nl_bsn: nlBsn,
  eu_vat: euVat,
  mac,
};

/** A detector's name as people write it in a profile or after --detectors, or undefined. */
export function parseDetectorName(name: string): DetectorName | undefined {
  return ALL_DETECTORS.find((known) => known === name);
}
