// The arguments of a command as the audit keeps them. Called by the masker. What is a secret only next to another
// argument (`--password hunter2`) is found on the whole line; a value with spaces is hidden to the end of its argument.
import { EncodedForms } from './encoded-forms.js';
import { findValues } from './find-values.js';
import { asMasked, type MaskedText } from './masked-text.js';
import type { StreamSettings } from './mask-stream.js';
import { applyRules, renderParts, splitAtBrackets, splitAtSpans } from './parts.js';
import { uniteSpans, type Span } from './spans.js';

export function maskArguments(settings: StreamSettings, argv: readonly string[]): readonly MaskedText[] {
  const line = Buffer.from(argv.map((argument) => argument.replaceAll('\n', ' ')).join(' '), 'utf8');
  const together = findValues(settings.search, line, new EncodedForms()).spans;
  let at = 0;
  return argv.map((argument) => {
    const bytes = Buffer.from(argument, 'utf8');
    const from = at;
    at += bytes.length + 1;
    const alone = findValues(settings.search, bytes, new EncodedForms()).spans;
    const shared = together.flatMap((span) => within(span, from, from + bytes.length));
    return maskArgument(settings, bytes, [...alone, ...shared]);
  });
}

function within(span: Span, from: number, to: number): readonly Span[] {
  const start = Math.max(span.start, from) - from;
  const end = Math.min(span.end, to) - from;
  return end > start ? [{ ...span, start, end }] : [];
}

function maskArgument(settings: StreamSettings, bytes: Buffer, spans: readonly Span[]): MaskedText {
  const whole = spans.map((span) =>
    span.why.startsWith('value of') ? { ...span, end: bytes.length } : span,
  );
  const united = uniteSpans(whole, (start, end) => bytes.toString('utf8', start, end));
  let parts = splitAtBrackets(bytes, splitAtSpans(0, bytes.length, united, settings.nameValue));
  for (const rules of settings.ruleSteps) parts = applyRules(bytes, parts, rules, settings.nameValue);
  return asMasked(renderParts(bytes, parts, bytes.length));
}
