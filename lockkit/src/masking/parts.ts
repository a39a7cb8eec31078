// A window's text on its way out: pieces that stay and pieces that are hidden, by their place in the window. Mask
// rules split the pieces that stay. Called by the mask stream; the only place where output text is put together.
import type RE2 from 're2';
import { escapeBrackets, renderPlaceholder } from './masked-text.js';
import { findMatches } from './mask-rule.js';
import type { NameValue } from './pseudonym.js';
import type { Span } from './spans.js';
import { openViews } from './view.js';

/** [from, to) of the window; hidden when `shown` is set. `kind` is counted once for each hidden part. */
export interface Part {
  readonly from: number;
  readonly to: number;
  readonly shown?: string;
  readonly kind?: string;
  readonly why?: string;
}

/** Splits [from, to) at the spans. Spans lie inside, sorted and disjoint. */
export function splitAtSpans(
  from: number,
  to: number,
  spans: readonly Span[],
  nameValue: NameValue,
): readonly Part[] {
  const parts: Part[] = [];
  let at = from;
  for (const span of spans) {
    if (span.start > at) parts.push({ from: at, to: span.start });
    const shown =
      span.kind === 'secret'
        ? renderPlaceholder('secret')
        : renderPlaceholder(span.kind, nameValue(span.kind, span.normalised));
    parts.push({ from: span.start, to: span.end, shown, kind: span.kind, why: span.why });
    at = span.end;
  }
  if (to > at) parts.push({ from: at, to });
  return parts;
}

/** Hides what the rules match in the parts that are still clear; brackets of the raw text are no part of a match. */
export function applyRules(
  bytes: Buffer,
  parts: readonly Part[],
  rules: readonly RE2[],
  nameValue: NameValue,
): readonly Part[] {
  return parts.flatMap((part) =>
    part.shown === undefined ? splitAtMatches(bytes, part, rules, nameValue) : [part],
  );
}

function splitAtMatches(
  bytes: Buffer,
  part: Part,
  rules: readonly RE2[],
  nameValue: NameValue,
): readonly Part[] {
  const split: Part[] = [];
  let at = part.from;
  for (const [start, end] of matchesIn(bytes.subarray(part.from, part.to), rules)) {
    if (part.from + start > at) split.push({ from: at, to: part.from + start });
    const value = bytes.toString('utf8', part.from + start, part.from + end);
    split.push({
      from: part.from + start,
      to: part.from + end,
      shown: renderPlaceholder('mask', nameValue('mask', value)),
      kind: 'mask',
      why: 'mask rule',
    });
    at = part.from + end;
  }
  if (part.to > at) split.push({ from: at, to: part.to });
  return split;
}

/** Matches on the text as it is and as it looks without invisible characters. */
function matchesIn(clear: Buffer, rules: readonly RE2[]): readonly (readonly [number, number])[] {
  const [view] = openViews(clear);
  if (view === undefined) return [];
  const direct = findMatches(rules, clear);
  if (view.length === clear.length) return direct;
  const folded = findMatches(rules, Buffer.from(view.bytes)).map(
    ([a, b]) => [view.rawStart(a), view.rawEnd(b)] as const,
  );
  return mergePlaces([...direct, ...folded]);
}

function mergePlaces(places: readonly (readonly [number, number])[]): readonly (readonly [number, number])[] {
  const merged: (readonly [number, number])[] = [];
  for (const place of [...places].sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last !== undefined && place[0] < last[1])
      merged[merged.length - 1] = [last[0], Math.max(last[1], place[1])];
    else merged.push(place);
  }
  return merged;
}

const BRACKET_BYTES = [Buffer.from('\u27e6'), Buffer.from('\u27e7')] as const;

/** Makes each bracket of the raw text a part of its own, so that no rule sees or spans it. */
export function splitAtBrackets(bytes: Buffer, parts: readonly Part[]): readonly Part[] {
  if (!bytes.includes(BRACKET_BYTES[0]) && !bytes.includes(BRACKET_BYTES[1])) return parts;
  return parts.flatMap((part) => (part.shown === undefined ? splitClear(bytes, part) : [part]));
}

function splitClear(bytes: Buffer, part: Part): readonly Part[] {
  const split: Part[] = [];
  let at = part.from;
  for (let i = part.from; i + 2 < part.to; i++) {
    if (bytes[i] !== 0xe2 || bytes[i + 1] !== 0x9f || (bytes[i + 2] !== 0xa6 && bytes[i + 2] !== 0xa7))
      continue;
    if (i > at) split.push({ from: at, to: i });
    split.push({ from: i, to: i + 3, shown: escapeBrackets(bytes.toString('utf8', i, i + 3)) });
    at = i + 3;
    i += 2;
  }
  if (part.to > at) split.push({ from: at, to: part.to });
  return split;
}

/** The text of the parts that begin before `limit`; a clear part ends there. `plainText`: all of it, if plain ASCII. */
export function renderParts(
  bytes: Buffer,
  parts: readonly Part[],
  limit: number,
  plainText?: string,
): string {
  let text = '';
  for (const part of parts) {
    if (part.from >= limit) break;
    const to = Math.min(part.to, limit);
    text +=
      part.shown ?? plainText?.slice(part.from, to) ?? escapeBrackets(bytes.toString('utf8', part.from, to));
  }
  return text;
}
