// A value so long that the look-ahead did not reach its end: how far it goes on in the next window. Called by the mask
// stream. Hides too much rather than too little: to the end of the line, or of the block.

export type OpenValue = 'line' | 'block';

const END_MARKER = /-{4,5} ?END (?:[A-Z0-9]{1,16}[ _]){0,6}PRIVATE KEY(?: BLOCK)? ?-{4,5}/i;
const BODY_LINE = /^[ \t]*[A-Za-z0-9+/=\\]*[ \t]*\r?$/;

/** Index in `bytes` up to which the open value goes on after `from`; the length when it does not end there. */
export function continuedEnd(open: OpenValue, bytes: Buffer, from: number): number {
  if (open === 'line') {
    const newline = bytes.indexOf(0x0a, from);
    return newline < 0 ? bytes.length : newline;
  }
  const text = bytes.toString('latin1', from, bytes.length);
  const marker = END_MARKER.exec(text);
  if (marker !== null) return from + marker.index + marker[0].length;
  return bodyLinesEnd(bytes, text, from);
}

function bodyLinesEnd(bytes: Buffer, text: string, from: number): number {
  let at = 0;
  for (;;) {
    const newline = text.indexOf('\n', at);
    const line = text.slice(at, newline < 0 ? undefined : newline);
    if (at > 0 && !BODY_LINE.test(line)) return from + at - 1;
    if (newline < 0) return bytes.length;
    at = newline + 1;
  }
}
