// Keeps the first bytes of one stream and counts the rest, so that memory is bounded whatever a program prints.
// Called by a run for each of its two streams. It must never stop reading: a blocked writer would never end.

export interface StreamOutput {
  readonly bytes: Buffer;
  /** More came than max_output_bytes; `bytes` reaches past it by up to the look-ahead. */
  readonly isTruncated: boolean;
  /** Something came that `bytes` does not hold. */
  readonly isDropped: boolean;
}

export class OutputBuffer {
  readonly #maxOutputBytes: number;
  readonly #keepBytes: number;
  readonly #chunks: Buffer[] = [];
  #kept = 0;
  #total = 0;

  constructor(maxOutputBytes: number, lookAheadBytes: number) {
    this.#maxOutputBytes = maxOutputBytes;
    this.#keepBytes = maxOutputBytes + lookAheadBytes;
  }

  add(chunk: Buffer): void {
    this.#total += chunk.length;
    const kept = chunk.subarray(0, this.#keepBytes - this.#kept);
    if (kept.length === 0) return;
    this.#kept += kept.length;
    // A copy: a slice would hold the library's whole packet.
    this.#chunks.push(Buffer.from(kept));
  }

  take(): StreamOutput {
    return {
      bytes: Buffer.concat(this.#chunks),
      isTruncated: this.#total > this.#maxOutputBytes,
      isDropped: this.#total > this.#kept,
    };
  }
}
