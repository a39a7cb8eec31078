// Bytes that a mask stream holds: what it has shown last, as context, and what it has still to show. Grows by doubling,
// so that a million pieces of one byte cost no more than one piece; a first large piece is not copied.

export class PendingBytes {
  private buffer: Buffer = Buffer.alloc(0);
  private start = 0;
  private end = 0;
  private owned = false;

  get length(): number {
    return this.end - this.start;
  }

  append(bytes: Buffer): void {
    if (bytes.length === 0) return;
    if (this.length === 0) {
      this.buffer = bytes;
      this.start = 0;
      this.end = bytes.length;
      this.owned = false;
      return;
    }
    this.makeRoom(bytes.length);
    bytes.copy(this.buffer, this.end);
    this.end += bytes.length;
  }

  /** The bytes from `from` to `to`, counted from the first one held; valid until the next append. */
  slice(from: number, to: number): Buffer {
    return this.buffer.subarray(this.start + from, Math.min(this.end, this.start + to));
  }

  drop(count: number): void {
    this.start += count;
  }

  private makeRoom(more: number): void {
    const held = this.length;
    if (this.owned && this.end + more <= this.buffer.length) return;
    const target =
      this.owned && held + more <= this.buffer.length / 2
        ? this.buffer
        : Buffer.allocUnsafe((held + more) * 2);
    this.buffer.copy(target, 0, this.start, this.end);
    this.buffer = target;
    this.owned = true;
    this.start = 0;
    this.end = held;
  }
}
