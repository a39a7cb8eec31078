// Which detector hid what, and why: for the human at `mask --explain`. Followed along by the mask stream, window by
// window. Gives places and lengths, never a value.
import type { Part } from './parts.js';

export interface Explanation {
  /** Counted from 1. */
  readonly line: number;
  /** Byte in the line, counted from 1. */
  readonly column: number;
  readonly lengthBytes: number;
  readonly kind: string;
  /** A fixed phrase of the detector. */
  readonly why: string;
}

export type OnHidden = (explanation: Explanation) => void;

/** Knows line and column while it is moved forward over the text. */
export class Explainer {
  private readonly onHidden: OnHidden;
  private line = 1;
  private column = 1;

  constructor(onHidden: OnHidden) {
    this.onHidden = onHidden;
  }

  /** Explains the hidden parts of bytes [from, to), which follow what was seen last. Parts are in order. */
  follow(bytes: Buffer, from: number, to: number, parts: readonly Part[]): void {
    let at = from;
    for (const part of parts) {
      if (part.kind === undefined) continue;
      this.move(bytes, at, part.from);
      at = part.from;
      this.onHidden({
        line: this.line,
        column: this.column,
        lengthBytes: part.to - part.from,
        kind: part.kind,
        why: part.why ?? '',
      });
    }
    this.move(bytes, at, to);
  }

  private move(bytes: Buffer, from: number, to: number): void {
    let lineFrom = -1;
    for (
      let newline = bytes.indexOf(0x0a, from);
      newline >= 0 && newline < to;
      newline = bytes.indexOf(0x0a, newline + 1)
    ) {
      this.line += 1;
      lineFrom = newline + 1;
    }
    this.column = lineFrom >= 0 ? to - lineFrom + 1 : this.column + to - from;
  }
}
