// Private keys as blocks of text: PEM and PGP (plain, encrypted, escaped into one line, indented, behind log prefixes,
// cut off) and PuTTY's. Certificates and public keys stay. A block is one value, from its first marker to its last.
import type { Emit, View } from '../../detector.js';
import { bodyEnd, bodyStart } from './pem-body.js';
import type { SecretFinder, SecretLook } from './secret-finder.js';

const BEGIN = /-{4,5} ?BEGIN (?:[A-Z0-9]{1,16}[ _]){0,6}PRIVATE KEY(?: BLOCK)? ?-{4,5}/iy;
const END = /-{4,5} ?END (?:[A-Z0-9]{1,16}[ _]){0,6}PRIVATE KEY(?: BLOCK)? ?-{4,5}/gi;
const MAX_BLOCK = 65_536;
const PUTTY_LINES = /private-lines:[ \t]*(\d{1,4})\r?\n/iy;
const NO_KEY = /^(?:\s|\\[nr])*[a-z]{0,15}(?:\s|\\[nr])*$/;

export const pem: SecretFinder = {
  literals: ['-----begin', '---- begin', '-----end', '---- end', 'private-lines:'],
  open: openPem,
};

function openPem(view: View, emit: Emit): SecretLook {
  let seen = 0;
  const ends = new EndMarkers(view);
  return {
    literal: (index, start) => {
      if (start < seen) return;
      seen = LOOKS[index]?.(view, start, { ends, emit, floor: seen }) ?? seen;
    },
  };
}

interface Around {
  readonly ends: EndMarkers;
  readonly emit: Emit;
  /** Nothing before this index belongs to a new block. */
  readonly floor: number;
}

type LookAt = (view: View, start: number, around: Around) => number;

/** By the index of the literal; each returns the index up to which no further block starts. */
const LOOKS: readonly LookAt[] = [pemBlock, pemBlock, lonelyEnd, lonelyEnd, puttyLines];

/** An end marker whose block began before this text: the lines of its body above it. */
function lonelyEnd(view: View, start: number, { ends, emit, floor }: Around): number {
  const marker = ends.after(start);
  if (marker?.start !== start) return start + 1;
  const from = bodyStart(view, start, floor);
  if (from < start) emit(from, marker.end, 'private key without beginning');
  return marker.end;
}

function pemBlock(view: View, start: number, { ends, emit }: Around): number {
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
  const next = view.text.indexOf('BEGIN', from);
  return next >= 0 && next < to;
}

function puttyLines(view: View, start: number, { emit }: Around): number {
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
