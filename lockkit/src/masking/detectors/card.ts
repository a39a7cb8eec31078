// Payment card numbers: 12 to 19 digits, bare or in the groups they are printed in, with a network's prefix and a
// right Luhn digit. Called per digit run. Timestamps, identifiers, floats and UUIDs have such digits too.
import { isDigit, isWord } from '../characters.js';
import type { Detector, Emit, Look, View } from '../detector.js';

/** [first prefix, last prefix, lengths]: issuer ranges of ISO/IEC 7812, by network. */
const NETWORKS: readonly (readonly [string, string, readonly number[]])[] = [
  ['4', '4', [13, 16, 19]],
  ['51', '55', [16]],
  ['2221', '2720', [16]],
  ['34', '34', [15]],
  ['37', '37', [15]],
  ['6011', '6011', [16, 17, 18, 19]],
  ['644', '649', [16, 17, 18, 19]],
  ['65', '65', [16, 17, 18, 19]],
  ['35', '35', [16, 17, 18, 19]],
  ['2131', '2131', [15]],
  ['1800', '1800', [15]],
  ['300', '305', [14, 16, 19]],
  ['3095', '3095', [14, 16, 19]],
  ['36', '36', [14, 16, 19]],
  ['38', '39', [14, 16, 19]],
  ['50', '50', [16, 17, 18, 19]],
  ['5018', '5018', [12, 13, 14, 15]],
  ['5020', '5020', [12, 13, 14, 15]],
  ['5038', '5038', [12, 13, 14, 15]],
  ['56', '58', [12, 13, 14, 15, 16, 17, 18, 19]],
  ['59', '69', [16, 17, 18, 19]],
  ['6304', '6304', [12, 13, 14, 15]],
  ['6390', '6390', [12, 13, 14, 15]],
  ['6759', '6759', [12, 13, 14, 15]],
  ['6761', '6763', [12, 13, 14, 15]],
  ['0604', '0604', [12, 13, 14, 15, 16, 17, 18, 19]],
  ['2200', '2204', [16, 17, 18, 19]],
  ['81', '82', [16]],
  ['9792', '9792', [16]],
  ['1', '1', [15]],
];

/** Digits per group as printed on cards of 16, 19, 15, 14, 13 and 12 digits. */
const GROUPINGS: readonly (readonly number[])[] = [
  [4, 4, 4, 4, 3],
  [4, 4, 4, 4],
  [4, 6, 5],
  [4, 6, 4],
  [4, 4, 4, 1],
  [4, 4, 4],
  [6, 13],
  [8, 8],
];
/** Numbers shorter than this are rare as cards and common as counters. */
const SHORTEST_COMMON = 15;
const COUNTER_KEY =
  /(?:^|[^a-z])(?:[a-z_.-]*[_.-])?(?:id|ids|uid|gid|ts|time|timestamp|msec|usec|nsec|seq|size|len|length|bytes|count|offset|inode|ino|pid|nonce|epoch|rev|revision|lsn|block|sector)["']?\s?[:=]\s?["']?$/i;
/** Hexadecimal names of requests, which sometimes hold digits alone. */
const TRACE_KEY = /(?:trace|span|parent|request|correlation)[_-]?id["']?\s?[:=]\s?["']?$/i;
const LABEL =
  /(?:^|[^a-z])(?:card|pan|cc|credit|debit|kreditkarte|carte)(?:[ _-]?(?:number|num|no|nr))?["']?\s?[:=#]?\s?["']?$/i;

export const card: Detector = {
  name: 'card',
  literals: [],
  open: openCard,
  normalise: (value) => value.replace(/\D/g, ''),
};

function openCard(view: View, emit: Emit): Look {
  let seen = 0;
  return {
    digits: (start, end) => {
      const run = end - start;
      if (start < seen || run < 4) return;
      if (run >= 12) {
        if (run <= 19 && isCard(view, start, end, view.text.slice(start, end)))
          emit(start, end, 'card number');
        return;
      }
      if (
        (run !== 4 && run !== 6 && run !== 8) ||
        !isDigit(view.bytes[end + 1]) ||
        !isDigit(view.bytes[end + 4])
      )
        return;
      const to = groupedEnd(view, start, end);
      if (to > 0) {
        emit(start, to, 'grouped card number');
        seen = to;
      }
    },
  };
}

function isCard(view: View, start: number, end: number, digits: string): boolean {
  if (!hasRoom(view, start, end)) return false;
  if (!isLuhn(digits)) return false;
  const before = view.text.slice(Math.max(0, start - 24), start);
  if (TRACE_KEY.test(before) || (digits.length < SHORTEST_COMMON && COUNTER_KEY.test(before))) return false;
  if (inNetwork(digits)) return !/^ ?(?:bytes|blocks|sectors|kB|KiB)\b/.test(view.text.slice(end, end + 9));
  return LABEL.test(before);
}

/** Not glued to a word, not the tail of a decimal, not the last group of a UUID. */
function hasRoom(view: View, start: number, end: number): boolean {
  const { bytes, text } = view;
  const before = bytes[start - 1];
  const after = bytes[end];
  if (isWord(before) || isWord(after)) return false;
  if ((before === 0x2e || before === 0x2c) && isDigit(bytes[start - 2])) return false;
  if (after === 0x2e && isDigit(bytes[end + 1])) return false;
  return before !== 0x2d || !/[0-9a-f]{4}-$/i.test(text.slice(Math.max(0, start - 5), start));
}

function groupedEnd(view: View, start: number, firstEnd: number): number {
  const separator = view.bytes[firstEnd];
  if (separator !== 0x20 && separator !== 0x2d && separator !== 0x2e) return 0;
  const before = view.bytes[start - 1];
  if (isWord(before) || (before === separator && separator !== 0x20 && isDigit(view.bytes[start - 2])))
    return 0;
  for (const grouping of GROUPINGS) {
    if (grouping[0] !== firstEnd - start) continue;
    const end = matchGroups(view, start, grouping, separator);
    if (end === 0) continue;
    const digits = view.text.slice(start, end).replace(/\D/g, '');
    if (isLuhn(digits) && inNetwork(digits)) return end;
  }
  return 0;
}

function matchGroups(view: View, start: number, grouping: readonly number[], separator: number): number {
  let at = start;
  for (const [index, size] of grouping.entries()) {
    if (index > 0 && view.bytes[at++] !== separator) return 0;
    for (let i = 0; i < size; i++) if (!isDigit(view.bytes[at++])) return 0;
  }
  const after = view.bytes[at];
  if (isWord(after)) return 0;
  return after === separator && separator !== 0x20 && isDigit(view.bytes[at + 1]) ? 0 : at;
}

function inNetwork(digits: string): boolean {
  return NETWORKS.some(([first, last, lengths]) => {
    const prefix = digits.slice(0, first.length);
    return prefix >= first && prefix <= last && lengths.includes(digits.length);
  });
}

export function isLuhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charCodeAt(digits.length - 1 - i) - 0x30;
    const doubled = digit * 2;
    sum += i % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
