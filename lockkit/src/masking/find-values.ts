// Finds everything to hide in one window of valid UTF-8: all detectors on all views, what is allowed taken out, forms
// of found secrets added, the rest united. Called by the mask stream; holds the memory of secrets between windows.
import { compileAllowed, type AllowValue } from './allow-value.js';
import type { DetectorName } from './detector.js';
import { EncodedForms } from './encoded-forms.js';
import { DETECTORS } from './registry.js';
import { openScanner, type Scanner } from './scan.js';
import { uniteSpans, type Span } from './spans.js';
import { openViews, type RawView } from './view.js';

/** What is looked for; compiled once for a masker. */
export interface Search {
  readonly detectors: readonly DetectorName[];
  readonly scan: Scanner;
  readonly isAllowed: (kind: DetectorName, normalised: string) => boolean;
}

export function compileSearch(detectors: readonly DetectorName[], allow: readonly AllowValue[]): Search {
  const unique = [...new Set(detectors)];
  return {
    detectors: unique,
    scan: openScanner(unique.map((name) => DETECTORS[name])),
    isAllowed: compileAllowed(allow),
  };
}

export interface Found {
  /** Sorted and disjoint. */
  readonly spans: readonly Span[];
  /** The window as a string when it is plain ASCII. */
  readonly plainText: string | undefined;
}

/** What is to hide in one window. `forms` learns the window's secrets and may know earlier ones. */
export function findValues(search: Search, bytes: Buffer, forms: EncodedForms): Found {
  const views = openViews(bytes);
  const hits =
    views.length === 1
      ? spansOf(search, views[0] as RawView)
      : views.flatMap((view) => spansOf(search, view));
  const rawText = (start: number, end: number): string => bytes.toString('utf8', start, end);
  const plainText = views[0]?.isPlain === true ? views[0].text : undefined;
  const united = uniteSpans(hits, rawText);
  for (const span of united)
    if (span.kind === 'secret') forms.remember(bytes.toString('latin1', span.start, span.end));
  if (forms.isEmpty) return { spans: united, plainText };
  const encoded: Span[] = [];
  for (const view of views) {
    forms.find(view.text, view.bytes, (start, end) => {
      encoded.push(encodedSpan(view, start, end));
    });
  }
  const spans = encoded.length === 0 ? united : uniteSpans([...united, ...encoded], rawText);
  return { spans, plainText };
}

function encodedSpan(view: RawView, start: number, end: number): Span {
  return {
    start: view.rawStart(start),
    end: view.rawEnd(end),
    kind: 'secret',
    why: 'encoded form of a secret',
    normalised: '',
  };
}

function spansOf(search: Search, view: RawView): Span[] {
  const spans: Span[] = [];
  search.scan(view, (detector, from, to, why) => {
    const kind = search.detectors[detector] as DetectorName;
    const normalised = kind === 'secret' ? '' : DETECTORS[kind].normalise(textOf(view, from, to));
    if (search.isAllowed(kind, normalised)) return;
    spans.push({ start: view.rawStart(from), end: view.rawEnd(to), kind, why, normalised });
  });
  return spans;
}

function textOf(view: RawView, start: number, end: number): string {
  if (view.isPlain) return view.text.slice(start, end);
  return Buffer.from(view.bytes.buffer, view.bytes.byteOffset + start, end - start).toString('utf8');
}
