// Cuts a stream of bytes into lines of a bounded length. Called by the process adapter.
// It must never hold more than one line: whoever writes the stream is not trusted.

/** Feeds `onLine` with every complete line (without LF); calls `onTooLong` once, then drops everything. */
export class LineReader {
  private readonly maxBytes: number;
  private readonly onLine: (line: string) => void;
  private readonly onTooLong: () => void;
  private parts: Buffer[] = [];
  private heldBytes = 0;
  private closed = false;

  constructor(maxBytes: number, onLine: (line: string) => void, onTooLong: () => void) {
    this.maxBytes = maxBytes;
    this.onLine = onLine;
    this.onTooLong = onTooLong;
  }

  push(chunk: Buffer): void {
    let rest = chunk;
    for (let end = rest.indexOf(10); end !== -1 && !this.closed; end = rest.indexOf(10)) {
      this.hold(rest.subarray(0, end));
      this.flush();
      rest = rest.subarray(end + 1);
    }
    if (!this.closed && rest.length > 0) this.hold(rest);
  }

  /** The stream ended: a last line without LF counts. */
  end(): void {
    if (!this.closed && this.heldBytes > 0) this.flush();
    this.closed = true;
  }

  private hold(part: Buffer): void {
    this.heldBytes += part.length;
    if (this.heldBytes > this.maxBytes) {
      this.closed = true;
      this.parts = [];
      this.onTooLong();
      return;
    }
    this.parts.push(part);
  }

  private flush(): void {
    if (this.closed) return;
    const line = Buffer.concat(this.parts).toString('utf8');
    this.parts = [];
    this.heldBytes = 0;
    this.onLine(line);
  }
}
