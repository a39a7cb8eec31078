// IPv4 and IPv6 addresses with zone. Versions of browsers, clock times, hardware addresses and scope operators have
// the same signs and are left alone. IPv4 hangs on a digit run, IPv6 on a colon; each run is walked over once.
import { isAlnum, isDigit, isHex, isWord } from '../characters.js';
import type { Detector, Emit, Look, View } from '../detector.js';
import { normaliseIp } from './ip-normal-form.js';

const PRODUCT =
  /(?:^|[^A-Za-z])(?:chrome|chromium|headlesschrome|edg|edge|edga|edgios|crios|fxios|firefox|opr|opera|version|safari|mobile|electron|yabrowser|vivaldi|samsungbrowser|whale|brave|applewebkit|gsa)\/$/i;

export const ip: Detector = { name: 'ip', literals: [':'], open: openIp, normalise: normaliseIp };

function openIp(view: View, emit: Emit): Look {
  let v6Seen = 0;
  let v4Seen = 0;
  return {
    literal: (_index, at) => {
      if (at < v6Seen || !(isHex(view.bytes[at + 1]) || view.bytes[at + 1] === 0x3a)) return;
      v6Seen = findV6(view, at, emit);
    },
    digits: (start, end) => {
      if (end - start > 3 || start < v4Seen || view.bytes[end] !== 0x2e) return;
      v4Seen = findV4(view, start, emit);
    },
  };
}

/** Returns the index up to which no further address starts. */
function findV4(view: View, start: number, emit: Emit): number {
  const { bytes } = view;
  const groups = dottedGroups(view, start);
  const before = bytes[start - 1];
  const joined = isWord(before) || (before === 0x2e && isAlnum(bytes[start - 2]));
  if (groups.count !== 4 || !groups.valid || joined) return groups.end;
  if (isWord(bytes[groups.end])) return groups.end;
  if (before === 0x2f && PRODUCT.test(view.text.slice(Math.max(0, start - 20), start))) return groups.end;
  emit(start, groups.end, 'IPv4 address');
  return groups.end;
}

function dottedGroups(
  view: View,
  start: number,
): { readonly count: number; readonly end: number; readonly valid: boolean } {
  const { bytes } = view;
  let at = start;
  let count = 0;
  let valid = true;
  for (;;) {
    const from = at;
    let value = 0;
    while (isDigit(bytes[at])) {
      value = Math.min(1000, value * 10 + (bytes[at] as number) - 0x30);
      at += 1;
    }
    count += 1;
    if (at - from > 3 || value > 255) valid = false;
    if (bytes[at] !== 0x2e || !isDigit(bytes[at + 1])) return { count, end: at, valid };
    at += 1;
  }
}

function findV6(view: View, colon: number, emit: Emit): number {
  const { bytes } = view;
  let from = colon;
  while (from > 0 && colon - from < 5 && isHex(bytes[from - 1])) from -= 1;
  let end = colon;
  let colons = 0;
  let isShortened = false;
  for (; isHex(bytes[end]) || bytes[end] === 0x3a; end++) {
    if (bytes[end] !== 0x3a) continue;
    colons += 1;
    if (bytes[end + 1] === 0x3a) isShortened = true;
  }
  if ((!isShortened && colons < 6) || end - from < 3 || end - from > 48) return end;
  const tail = v4Tail(view, end);
  let to = tail;
  if (isWord(bytes[from - 1])) from = afterFirstColon(view, from, end);
  if (bytes[from] === 0x3a && bytes[from + 1] !== 0x3a) from += 1;
  if (tail === end && isWord(bytes[end])) to = beforeLastColon(view, from, end);
  if (bytes[to - 1] === 0x3a && bytes[to - 2] !== 0x3a) to -= 1;
  if (to - from >= 3 && isV6(view, from, to) && !isAccount(view, to))
    emit(from, zoneEnd(view, to), 'IPv6 address');
  return end;
}

/** `udp6:2001:db8::1`: a word glued to the first colon is not a group. A scope operator gives nothing. */
function afterFirstColon(view: View, from: number, end: number): number {
  const colon = view.text.indexOf(':', from);
  return view.bytes[colon + 1] === 0x3a ? end : colon + 1;
}

function beforeLastColon(view: View, from: number, end: number): number {
  const colon = view.text.lastIndexOf(':', end - 1);
  return colon <= from || view.bytes[colon - 1] === 0x3a ? from : colon;
}

/** End of a dotted tail (`::ffff:192.0.2.1`), or `end`. */
function v4Tail(view: View, end: number): number {
  if (view.bytes[end] !== 0x2e) return end;
  let from = end;
  while (isDigit(view.bytes[from - 1])) from -= 1;
  if (view.bytes[from - 1] !== 0x3a || from === end) return end;
  const groups = dottedGroups(view, from);
  return groups.count === 4 && groups.valid && !isWord(view.bytes[groups.end]) ? groups.end : end;
}

function zoneEnd(view: View, to: number): number {
  if (view.bytes[to] !== 0x25 || !isAlnum(view.bytes[to + 1])) return to;
  let end = to + 1;
  while (end - to < 17 && (isWord(view.bytes[end]) || view.bytes[end] === 0x2d)) end += 1;
  return end;
}

/** `bob:x:1000:1000::/home/bob`: the empty name field of an account, not an address. */
function isAccount(view: View, to: number): boolean {
  return view.bytes[to - 1] === 0x3a && view.bytes[to] === 0x2f && !isDigit(view.bytes[to + 1]);
}

/** Eight groups, or fewer around one `::` with a digit somewhere (`dead::beef` is a scope operator to most logs). */
function isV6(view: View, from: number, to: number): boolean {
  const { bytes } = view;
  let groups = 0;
  let length = 0;
  let shortened = 0;
  let hasDigit = false;
  let isAllPairs = true;
  for (let at = from; at <= to; at++) {
    const byte = at < to ? (bytes[at] as number) : 0x3a;
    if (byte === 0x2e) {
      groups += 2;
      break;
    }
    if (byte !== 0x3a) {
      length += 1;
      if (length > 4) return false;
      if (byte <= 0x39) hasDigit = true;
      continue;
    }
    if (length > 0) {
      groups += 1;
      if (length !== 2) isAllPairs = false;
    } else if (at > from && at < to) {
      shortened += 1;
    }
    length = 0;
  }
  if (shortened > 1) return false;
  return shortened === 1 ? groups > 0 && groups <= 7 && hasDigit : groups === 8 && !isAllPairs;
}
