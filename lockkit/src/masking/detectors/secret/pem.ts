// Private keys as blocks of text: PEM and PGP (plain, encrypted, escaped into one line, indented, behind log prefixes,
// cut off) and PuTTY's. Certificates and public keys stay. A block is one value, from its first marker to its last.
import type { Emit, View } from '../../detector.js';
import { bodyEnd } from './pem-body.js';
import type { SecretFinder, SecretLook } from './secret-finder.js';

const BEGIN = /-----BEGIN[ A-Z0-9_-]{0,80}PRIVATE KEY(?: BLOCK)?-----/iy;
const END = /-----END[ A-Z0-9_-]{0,80}PRIVATE KEY(?: BLOCK)?-----/gi;
const MAX_BLOCK = 65_536;
const PUTTY_LINES = /private-lines:[ \t]*(\d{1,4})\r?\n/iy;
const NO_KEY = /^(?:\s|\\[nr])*[a-z]{0,15}(?:\s|\\[nr])*$/;

export const pem: SecretFinder = { literals: ['-----begin', 'private-lines:'], open: openPem };

function openPem(view: View, emit: Emit): SecretLook {
  let seen = 0;
  const ends = new EndMarkers(view);
  return {
    literal: (index, start) => {
      if (start < seen) return;
      seen = index === 0 ? pemBlock(view, start, ends, emit) : puttyLines(view, start, emit);
    },
  };
}

function pemBlock(view: View, start: number, ends: EndMarkers, emit: Emit): number {
  BEGIN.lastIndex = start;
  const begin = BEGIN.exec(view.text);
  if (begin === null) return start + 1;
  const bodyFrom = start + begin[0].length;
  const marker = ends.after(bodyFrom);
  if (
    marker !== undefined &&
    marker.start - bodyFrom <= MAX_BLOCK &&
    !hasBegin(view, bodyFrom, marker.start)
  ) {
    if (
      !NO_KEY.test(view.text.slice(bodyFrom, Math.min(marker.start, bodyFrom + 64))) ||
      marker.start - bodyFrom > 64
    ) {
      emit(start, marker.end, 'private key');
    }
    return marker.end;
  }
  const end = bodyEnd(view, start, bodyFrom);
  if (end > bodyFrom) emit(start, end, 'private key without end');
  return Math.max(end, bodyFrom);
}

function hasBegin(view: View, from: number, to: number): boolean {
  const next = view.text.indexOf('-----BEGIN', from);
  return next >= 0 && next < to;
}

function puttyLines(view: View, start: number, emit: Emit): number {
  PUTTY_LINES.lastIndex = start;
  const head = PUTTY_LINES.exec(view.text);
  if (head === null) return start + 1;
  const from = start + head[0].length;
  let end = from;
  for (let line = Number(head[1]); line > 0 && end < view.length; line--) {
    const newline = view.text.indexOf('\n', end);
    end = newline < 0 ? view.length : newline + 1;
  }
  const to = view.bytes[end - 1] === 0x0a ? end - 1 : end;
  emit(from, to, 'private key lines');
  return to;
}

/** The end markers of a view in order, each looked for once however many blocks begin. */
class EndMarkers {
  private readonly view: View;
  private found: { readonly start: number; readonly end: number } | undefined;
  private searchedTo = 0;

  constructor(view: View) {
    this.view = view;
  }

  after(at: number): { readonly start: number; readonly end: number } | undefined {
    if (this.found !== undefined && this.found.start >= at) return this.found;
    if (this.searchedTo >= this.view.length) return undefined;
    END.lastIndex = Math.max(at, this.searchedTo);
    const match = END.exec(this.view.text);
    this.found = match === null ? undefined : { start: match.index, end: match.index + match[0].length };
    this.searchedTo = match === null ? this.view.length : match.index;
    return this.found;
  }
}
