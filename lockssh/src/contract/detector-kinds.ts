// The kinds of value that a profile's detectors may name. A list of its own, because the agent's side reads profiles
// and must not load the masking engine; a test holds it against the detectors that exist.

export const DEFAULT_DETECTORS = ['card', 'email', 'iban', 'ip', 'phone', 'secret'] as const;

const OPTIONAL_DETECTORS = ['us_ssn', 'be_niss', 'fr_nir', 'nl_bsn', 'eu_vat', 'mac'] as const;

export const DETECTORS = [...DEFAULT_DETECTORS, ...OPTIONAL_DETECTORS] as const;

export type DetectorKind = (typeof DETECTORS)[number];

/** What an allow rule of pii.toml may keep in clear: never a secret. */
export const PII_KINDS: readonly DetectorKind[] = DETECTORS.filter((kind) => kind !== 'secret');
