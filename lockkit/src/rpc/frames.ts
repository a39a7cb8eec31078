// One JSON object a line: cuts a byte stream into lines and refuses what is longer than the limit.
// Used by both sides of the socket. Never keeps more than one limit's worth of bytes.

const NEWLINE = 0x0a;

/** `onLine` gets each line without its LF; `onTooLong` is called once, and nothing after it. */
export class LineCutter {
  readonly #limitBytes: number;
  readonly #onLine: (line: Buffer) => void;
  readonly #onTooLong: () => void;
  #parts: Buffer[] = [];
  #heldBytes = 0;
  #closed = false;

  constructor(limitBytes: number, onLine: (line: Buffer) => void, onTooLong: () => void) {
    this.#limitBytes = limitBytes;
    this.#onLine = onLine;
    this.#onTooLong = onTooLong;
  }

  push(chunk: Buffer): void {
    let from = 0;
    while (!this.#closed) {
      const at = chunk.indexOf(NEWLINE, from);
      const piece = at < 0 ? chunk.subarray(from) : chunk.subarray(from, at);
      if (this.#heldBytes + piece.length > this.#limitBytes) return this.#refuse();
      if (at < 0) return this.#hold(piece);
      const line = Buffer.concat([...this.#parts, piece]);
      this.#drop();
      from = at + 1;
      this.#onLine(line);
    }
  }

  /** Nothing more is read: the connection is being closed. */
  close(): void {
    this.#closed = true;
    this.#drop();
  }

  #hold(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#parts.push(piece);
    this.#heldBytes += piece.length;
  }

  #drop(): void {
    this.#parts = [];
    this.#heldBytes = 0;
  }

  #refuse(): void {
    this.close();
    this.#onTooLong();
  }
}
