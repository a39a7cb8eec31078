// Where a private key ends that has no end marker (the output was cut, or shows only a part). Called by pem.ts.
// Goes on line by line as long as lines look like the inside of a block, behind the prefix of its first line.
import type { View } from '../../detector.js';

const BODY_LINE = /^[A-Za-z0-9+/=\\]+$/;
const HEADER_LINE = /^[A-Z][A-Za-z0-9-]{1,30}: .*$/;
const LONG_BODY = /[A-Za-z0-9+/=]{24,}\s*$/;
const MAX_LINE = 8192;
const MAX_LINES = 2000;
const MAX_BLOCK = 65_536;
const MAX_PREFIX = 200;
/** Only the last line of a body is shorter. */
const MIN_INNER_LINE = 24;

/** Index after the last line that belongs to the block that begins at `start`; `bodyFrom` follows its marker. */
export function bodyEnd(view: View, start: number, bodyFrom: number): number {
  const { text } = view;
  const rest = text.slice(bodyFrom, bodyFrom + 16).split('\n', 1)[0] ?? '';
  if (rest.trim() !== '')
    return /^\s*\\*[nr"]|^[A-Za-z0-9+/= ]/.test(rest) ? escapedEnd(view, bodyFrom) : bodyFrom;
  const firstNewline = lineEnd(text, bodyFrom);
  const prefix = text.slice(Math.max(text.lastIndexOf('\n', start - 1) + 1, start - MAX_PREFIX), start);
  let end = bodyFrom;
  let at = firstNewline;
  while (at < text.length) {
    const from = at + 1;
    const to = lineEnd(text, from);
    const line = withoutPrefix(text.slice(from, Math.min(to, from + MAX_LINE)), prefix);
    if (line === undefined) break;
    if (line !== '') end = to;
    at = to;
  }
  return end;
}

/**
 * Index of the first of the body lines directly above the end marker at `markerAt` (an encoded line break counts);
 * not before `floor`.
 */
export function bodyStart(view: View, markerAt: number, floor: number): number {
  const text = view.text.slice(Math.max(floor, markerAt - MAX_BLOCK), markerAt);
  const base = markerAt - text.length;
  const lineFrom = text.lastIndexOf('\n') + 1;
  const own = text.slice(Math.max(lineFrom, text.length - MAX_LINE));
  const escaped = /(?:^|[\s"'])((?:[A-Za-z0-9+/=]+(?:\\+[nr])+)+)$/.exec(own);
  if (escaped !== null) return markerAt - (escaped[1] as string).length;
  let from = text.length;
  for (let end = lineFrom - 1, taken = 0; end > 0 && taken < MAX_LINES; taken++) {
    const start = text.lastIndexOf('\n', end - 1) + 1;
    const line = withoutPrefix(text.slice(Math.max(start, end - MAX_LINE), end), own.slice(-MAX_PREFIX));
    if (line === undefined || line === '' || (taken > 0 && line.length < MIN_INNER_LINE)) break;
    from = start;
    end = start - 1;
  }
  return base + from;
}

/** A block written into one line (`\n` between its lines) goes to the quote that closes it, or to the line's end. */
function escapedEnd(view: View, from: number): number {
  let at = from;
  while (at < view.length && view.bytes[at] !== 0x22 && view.bytes[at] !== 0x0a) at += 1;
  return at;
}

/** The line's own part if it belongs to the block, else undefined. */
function withoutPrefix(line: string, prefix: string): string | undefined {
  const whole = line.trim();
  if (whole === '' || BODY_LINE.test(whole) || HEADER_LINE.test(whole)) return whole;
  if (LONG_BODY.test(line)) return whole;
  const own = line.slice(prefix.length).trim();
  if (shapeOf(line.slice(0, prefix.length)) !== shapeOf(prefix)) return undefined;
  return own === '' || BODY_LINE.test(own) || HEADER_LINE.test(own) ? own : undefined;
}

function shapeOf(prefix: string): string {
  return prefix.replace(/\d/g, '9');
}

function lineEnd(text: string, from: number): number {
  const newline = text.indexOf('\n', from);
  return newline < 0 ? text.length : newline;
}
