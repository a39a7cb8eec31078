// The kinds of value that a profile's detectors may name. A list of its own, because the agent's side reads profiles
// and must not load the masking engine; a test holds it against the detectors that exist.

export const DETECTORS = ['card', 'email', 'iban', 'ip', 'phone', 'secret'] as const;

export type DetectorKind = (typeof DETECTORS)[number];

/** The page's default. */
export const DEFAULT_DETECTORS: readonly DetectorKind[] = ['card', 'email', 'iban', 'ip', 'phone', 'secret'];

/** What an allow rule of pii.toml may keep in clear: never a secret. */
export const PII_KINDS: readonly DetectorKind[] = DETECTORS.filter((kind) => kind !== 'secret');
