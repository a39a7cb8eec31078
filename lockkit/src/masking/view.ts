// Makes the texts that detectors look at from raw bytes, with the way back from a place in a view to the raw bytes.
// Called by the masker for every window. Removes what hides a value (ANSI sequences, zero-width and control
// characters) and folds other forms of digits and signs; what is shown to the agent is always the raw text.
import type { View } from './detector.js';
import { foldCharacter, INVISIBLE_CODE } from './fold-character.js';

/** A view that knows where its places are in the raw bytes. */
export interface RawView extends View {
  /** The raw text is plain ASCII and is this view. */
  readonly isPlain: boolean;
  /** Raw index of the first byte of what stands at `at`. */
  readonly rawStart: (at: number) => number;
  /** Raw index after the last byte of what stands before `end`. */
  readonly rawEnd: (end: number) => number;
}

const NOT_PLAIN = /[^\t\n\r\x20-\x7e]/;
const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\xc2[\x80-\x9f]/;

/**
 * `bytes` must be valid UTF-8. One view of plain text; of other text one with everything invisible taken out and,
 * if there were control characters or escape sequences, a second one in which those separate.
 */
export function openViews(bytes: Buffer): readonly RawView[] {
  const text = bytes.toString('latin1');
  if (!NOT_PLAIN.test(text)) return [identityView(bytes, text)];
  const views = [foldedView(bytes, false)];
  if (CONTROL.test(text)) views.push(foldedView(bytes, true));
  return views;
}

function identityView(bytes: Buffer, text: string): RawView {
  return { bytes, text, length: bytes.length, isPlain: true, rawStart: (at) => at, rawEnd: (end) => end };
}

function foldedView(bytes: Buffer, controlsSeparate: boolean): RawView {
  const folder = new Folder(bytes, controlsSeparate);
  folder.run();
  const folded = folder.out.subarray(0, folder.length);
  return {
    bytes: folded,
    text: folded.toString('latin1'),
    length: folded.length,
    isPlain: false,
    rawStart: (at) => folder.rawStart(at),
    rawEnd: (end) => folder.rawEnd(end),
  };
}

/** Copies runs as they are and folds the rest; each piece is (place in the view, place in raw, raw length or 0 for a run). */
class Folder {
  readonly out: Buffer;
  length = 0;
  private readonly raw: Buffer;
  private readonly controlsSeparate: boolean;
  private readonly pieceAt: number[] = [];
  private readonly pieceRaw: number[] = [];
  private readonly pieceFold: number[] = [];
  private runFrom = 0;

  constructor(raw: Buffer, controlsSeparate: boolean) {
    this.raw = raw;
    this.controlsSeparate = controlsSeparate;
    this.out = Buffer.allocUnsafe(raw.length);
  }

  run(): void {
    const { raw } = this;
    let at = 0;
    while (at < raw.length) {
      const byte = raw[at] as number;
      if (byte >= 0x20 && byte < 0x7f) at += 1;
      else if (byte < 0x80) at = this.control(byte, at);
      else at = this.wide(byte, at);
    }
    this.endRun(raw.length);
  }

  private control(byte: number, at: number): number {
    if (byte === 0x0a || byte === 0x0d || byte === 0x09) return at + 1;
    if (byte === 0x1b) return this.escape(at);
    if (byte === 0x08 && this.isOverstrike(at)) return this.overstrike(at);
    if (byte === 0 && startsVariable(this.raw, at + 1)) return this.separate(at);
    return this.skip(at, 1, byte === 0 ? 0x0a : 0x20);
  }

  /** What a string sequence carries (a link, a title) is text where controls separate, and nothing where not. */
  private escape(at: number): number {
    const length = escapeLength(this.raw, at);
    const isString = length > 2 && STRING_INTRODUCERS.includes(this.raw[at + 1] ?? 0);
    return this.skip(at, isString && this.controlsSeparate ? 2 : length, 0x20);
  }

  /** `A=1` NUL `B=2`, an environment: a separator in every view. */
  private separate(at: number): number {
    this.fold(at, 1, 0x0a);
    return at + 1;
  }

  private wide(lead: number, at: number): number {
    const size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    const folded = foldCharacter(decodeAt(this.raw, at, size));
    if (folded === undefined) return at + size;
    if (folded === INVISIBLE_CODE) return this.skip(at, size, undefined);
    this.fold(at, size, folded);
    return at + size;
  }

  /** Leaves out `size` raw bytes; `separator` stands for them in a view in which controls separate. */
  private skip(at: number, size: number, separator: number | undefined): number {
    if (this.controlsSeparate && separator !== undefined) {
      this.fold(at, size, separator);
    } else {
      this.endRun(at);
      this.runFrom = at + size;
    }
    return at + size;
  }

  private fold(at: number, size: number, code: number): void {
    this.endRun(at);
    this.piece(at, size);
    this.out[this.length++] = code;
    this.runFrom = at + size;
  }

  /** `p\bp`, the bold of a line printer: one character that covers three raw bytes. */
  private overstrike(at: number): number {
    this.endRun(at - 1);
    this.fold(at - 1, 3, this.raw[at + 1] as number);
    return at + 2;
  }

  private isOverstrike(at: number): boolean {
    const before = this.raw[at - 1] ?? 0;
    const after = this.raw[at + 1] ?? 0;
    return at - 1 >= this.runFrom && before > 0x20 && before < 0x7f && after > 0x20 && after < 0x7f;
  }

  private endRun(to: number): void {
    if (to > this.runFrom) {
      this.piece(this.runFrom, 0);
      this.length += this.raw.copy(this.out, this.length, this.runFrom, to);
    }
    this.runFrom = to;
  }

  private piece(rawAt: number, foldedBytes: number): void {
    this.pieceAt.push(this.length);
    this.pieceRaw.push(rawAt);
    this.pieceFold.push(foldedBytes);
  }

  rawStart(at: number): number {
    const piece = this.find(at);
    const raw = this.pieceRaw[piece] ?? 0;
    return (this.pieceFold[piece] ?? 0) > 0 ? raw : raw + at - (this.pieceAt[piece] ?? 0);
  }

  rawEnd(end: number): number {
    const piece = this.find(end - 1);
    const raw = this.pieceRaw[piece] ?? 0;
    const fold = this.pieceFold[piece] ?? 0;
    return fold > 0 ? raw + fold : raw + end - (this.pieceAt[piece] ?? 0);
  }

  private find(at: number): number {
    let low = 0;
    let high = this.pieceAt.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.pieceAt[middle] as number) <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

function decodeAt(raw: Buffer, at: number, size: number): number {
  const lead = raw[at] as number;
  let point = size === 4 ? lead & 0x07 : size === 3 ? lead & 0x0f : lead & 0x1f;
  for (let i = 1; i < size; i++) point = (point << 6) | ((raw[at + i] ?? 0) & 0x3f);
  return point;
}

const MAX_STRING_SEQUENCE = 4096;
/** OSC, DCS, SOS, PM, APC. */
const STRING_INTRODUCERS: readonly number[] = [0x5d, 0x50, 0x58, 0x5e, 0x5f];
const MAX_VARIABLE = 64;

/** `NAME=` stands at `at`. */
function startsVariable(raw: Buffer, at: number): boolean {
  return /^[A-Za-z_]\w*=/.test(raw.toString('latin1', at, at + MAX_VARIABLE));
}

/** Length of the terminal escape sequence at `at`: CSI, a string sequence (OSC, DCS…) or a short one. */
function escapeLength(raw: Buffer, at: number): number {
  const kind = raw[at + 1];
  if (kind === undefined) return 1;
  if (kind === 0x5b) return csiLength(raw, at);
  if (STRING_INTRODUCERS.includes(kind)) return stringLength(raw, at);
  let end = at + 1;
  while (end < raw.length && (raw[end] as number) >= 0x20 && (raw[end] as number) <= 0x2f) end += 1;
  const final = raw[end];
  return final !== undefined && final >= 0x30 && final <= 0x7e ? end + 1 - at : 1;
}

function csiLength(raw: Buffer, at: number): number {
  let end = at + 2;
  while (end < raw.length && (raw[end] as number) >= 0x20 && (raw[end] as number) <= 0x3f) end += 1;
  const final = raw[end];
  return final !== undefined && final >= 0x40 && final <= 0x7e ? end + 1 - at : end - at;
}

/** Ends at BEL or ESC \; one that never ends, or spans lines, hides only its introducer. */
function stringLength(raw: Buffer, at: number): number {
  const limit = Math.min(raw.length, at + MAX_STRING_SEQUENCE);
  for (let end = at + 2; end < limit; end++) {
    const byte = raw[end] as number;
    if (byte === 0x07) return end + 1 - at;
    if (byte === 0x1b) return raw[end + 1] === 0x5c ? end + 2 - at : 2;
    if (byte === 0x0a) return 2;
  }
  return 2;
}
