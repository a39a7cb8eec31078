// What detectors find in a text, as texts: for the tests beside the detectors.
import type { DetectorName } from '../detector.js';
import { EncodedForms } from '../encoded-forms.js';
import { compileSearch, findValues } from '../find-values.js';
import { toValidUtf8 } from '../utf8.js';

/** The values of the text that these detectors hide, in order. */
export function foundBy(detectors: readonly DetectorName[], text: string): readonly string[] {
  const bytes = toValidUtf8(Buffer.from(text, 'utf8'));
  const { spans } = findValues(compileSearch(detectors, []), bytes, new EncodedForms());
  return spans.map((span) => bytes.toString('utf8', span.start, span.end));
}
