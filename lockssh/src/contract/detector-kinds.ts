// The kinds of value that rules of pii.toml may name. Read with the profile, by both sides; the names alone, because the
// agent's side must not load the masking engine.
import { ALL_DETECTORS } from 'lockkit/detectors';

/** What an allow rule may keep in clear: never a secret. */
export const PII_KINDS = ALL_DETECTORS.filter((kind) => kind !== 'secret');
