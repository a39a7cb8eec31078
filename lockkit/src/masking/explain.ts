// Which detector hid what, and why: for the human at `mask --explain`. Called by the masker. Gives places and lengths,
// never a value.
import { openMaskStream, type StreamSettings } from './mask-stream.js';
import type { Span } from './spans.js';
import { toValidUtf8 } from './utf8.js';

export interface Explanation {
  /** Counted from 1. */
  readonly line: number;
  /** Byte in the line, counted from 1. */
  readonly column: number;
  readonly lengthBytes: number;
  readonly kind: string;
  /** A fixed phrase of the detector. */
  readonly why: string;
}

export function explainWith(settings: StreamSettings, raw: Buffer): readonly Explanation[] {
  const bytes = toValidUtf8(raw);
  const explanations: Explanation[] = [];
  const stream = openMaskStream({
    ...settings,
    explain: (span, from) => explanations.push(place(bytes, span, from)),
  });
  stream.push(bytes);
  stream.end();
  return explanations;
}

function place(bytes: Buffer, span: Span, windowFrom: number): Explanation {
  const at = windowFrom + span.start;
  const lineFrom = at === 0 ? 0 : bytes.lastIndexOf(0x0a, at - 1) + 1;
  let line = 1;
  for (
    let newline = bytes.indexOf(0x0a);
    newline >= 0 && newline < at;
    newline = bytes.indexOf(0x0a, newline + 1)
  )
    line += 1;
  return {
    line,
    column: at - lineFrom + 1,
    lengthBytes: span.end - span.start,
    kind: span.kind,
    why: span.why,
  };
}
