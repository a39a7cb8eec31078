// Reads one telephone number as people write it: groups of digits with spaces, dots, hyphens, slashes or brackets,
// and an extension. Called by the phone detector at a place where a number may begin.
import type { View } from '../detector.js';

/** A written number at [start, end): its digits (without extension) and its groups. */
export interface WrittenNumber {
  readonly start: number;
  readonly end: number;
  readonly digits: string;
  readonly groups: readonly string[];
}

export const MIN_DIGITS = 7;
const LOOK_AHEAD = 64;
const MAX_DIGITS = 15;
const WRITTEN = /^\+? ?(?:\(\+?\d{1,5}\)|\d+)(?:[ .\-/]{0,3}(?:\(\d{1,5}\)|\d+)){0,8}/;
const EXTENSION = /^[ ,]{0,2}(?:x|ext\.?|extension|#) ?\d{1,6}(?!\w)/i;

/** The longest number of at most 15 digits that starts at `start`, or undefined. */
export function readNumber(view: View, start: number): WrittenNumber | undefined {
  const ahead = view.text.slice(start, start + LOOK_AHEAD);
  let written = WRITTEN.exec(ahead)?.[0];
  if (written === undefined) return undefined;
  while (countDigits(written) > MAX_DIGITS) {
    const shorter = dropLastGroup(written);
    if (shorter === undefined) return undefined;
    written = shorter;
  }
  return finish(start, ahead, written);
}

function finish(start: number, ahead: string, written: string): WrittenNumber {
  const extension = EXTENSION.exec(ahead.slice(written.length))?.[0] ?? '';
  return {
    start,
    end: start + written.length + extension.length,
    digits: written.replace(/\D/g, ''),
    groups: written.match(/\d+/g) ?? [],
  };
}

/** The same number without its last group, to retry where the whole is too long; undefined at the first group. */
export function shorten(view: View, number: WrittenNumber): WrittenNumber | undefined {
  const written = dropLastGroup(WRITTEN.exec(view.text.slice(number.start, number.end))?.[0] ?? '');
  return written === undefined ? undefined : finish(number.start, written, written);
}

function dropLastGroup(written: string): string | undefined {
  const shorter = written.replace(/[ .\-/]{1,3}\(?\d+\)?$/, '');
  return shorter === written || shorter === '' ? undefined : shorter;
}

function countDigits(written: string): number {
  let digits = 0;
  for (let i = 0; i < written.length; i++) {
    const code = written.charCodeAt(i);
    if (code >= 0x30 && code <= 0x39) digits += 1;
  }
  return digits;
}

/** Date, clock time, dotted address, decimal or epoch: digits that are not a number to call. */
export function looksLikeOther(view: View, number: WrittenNumber): boolean {
  const { text } = view;
  const written = text.slice(number.start, number.end);
  const after = text.slice(number.end, number.end + 2);
  if (/^(?:19|20)\d\d[-/.](?:0?[1-9]|1[0-2])[-/.]\d/.test(written)) return true;
  if (/^\d{1,2}[-/.]\d{1,2}[-/.](?:19|20)\d\d(?!\d)/.test(written)) return true;
  if (/^\d{1,3}(?:\.\d{1,3}){3}$/.test(written) || /^:\d/.test(after) || /^[,.]\d/.test(after)) return true;
  return /^[A-Za-z_]/.test(after);
}
