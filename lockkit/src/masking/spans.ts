// The places of one text that will be hidden. Hits of all detectors on all views are united on the raw bytes, so that
// one detector more never shows what another hid. Called by the masker.
import type { DetectorName } from './detector.js';

/** A value at [start, end) of the raw bytes. `normalised` is what its pseudonym is made from. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly kind: DetectorName;
  readonly why: string;
  readonly normalised: string;
}

/** Sorted and without overlap. `rawText` gives the text of a union that is larger than the hit that names it. */
export function uniteSpans(
  spans: readonly Span[],
  rawText: (start: number, end: number) => string,
): readonly Span[] {
  const sorted = inOrder(spans) ? spans : [...spans].sort((a, b) => a.start - b.start || b.end - a.end);
  const united: Span[] = [];
  let group: Span | undefined;
  let end = 0;
  let start = 0;
  const close = (): void => {
    if (group === undefined) return;
    const isWhole = group.start === start && group.end === end;
    united.push(isWhole ? group : { ...group, start, end, normalised: rawText(start, end) });
  };
  for (const span of sorted) {
    if (group === undefined || span.start >= end) {
      close();
      group = span;
      start = span.start;
      end = span.end;
    } else {
      group = stronger(group, span);
      end = Math.max(end, span.end);
    }
  }
  close();
  return united;
}

/** Already sorted, as the hits of one pass nearly always are. */
function inOrder(spans: readonly Span[]): boolean {
  return spans.every((span, at) => at === 0 || (spans[at - 1] as Span).start < span.start);
}

/** A secret names the union it is part of, else the longer value does; a phone number is the weakest claim. */
function stronger(a: Span, b: Span): Span {
  if (a.kind === 'secret' || b.kind === 'secret') return a.kind === 'secret' ? a : b;
  const longer = b.end - b.start - (a.end - a.start);
  return longer > 0 || (longer === 0 && a.kind === 'phone') ? b : a;
}
