// lockkit/masking: hides personal data and secrets in text (docs/masking.md). Used by every console, by `mask`
// commands, and as a library of its own. Nothing here reaches the network or the disk.
export {
  ALL_DETECTORS,
  DEFAULT_DETECTORS,
  OPTIONAL_DETECTORS,
  type DetectorName,
} from './masking/detector.js';
export { parseDetectorName } from './masking/registry.js';
export { type MaskedText } from './masking/masked-text.js';
export {
  openMasker,
  type Masker,
  type MaskerSettings,
  type MaskOptions,
  type MaskResult,
} from './masking/masker.js';
export { LOOK_AHEAD_BYTES, type MaskStream } from './masking/mask-stream.js';
export { type Explanation, type OnHidden } from './masking/explain.js';
export { MAX_PATTERN_BYTES, parseMaskRule, type MaskRule } from './masking/mask-rule.js';
export { MAX_ALLOW_BYTES, parseAllowValue, type AllowValue } from './masking/allow-value.js';
export { PSEUDONYM_KEY_BYTES } from './masking/pseudonym.js';
