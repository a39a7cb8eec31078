// Finds the id of a JSON-RPC message that is too long to keep, as its bytes go by, so that its sender gets an
// answer. Called by the transport. It keeps a few hundred bytes whatever it reads, and never guesses: null is an answer.

const MAX_TOKEN = 256;

/** Feed it every byte of the line, then ask for the id. */
export class MessageIdScanner {
  #depth = 0;
  #inText = false;
  #escaped = false;
  /** The token being read at depth 1, the key before the last colon, and the id when it was found. */
  #token = '';
  #key = '';
  #id: string | number | null = null;

  push(bytes: Buffer): void {
    for (const byte of bytes) this.#take(byte);
  }

  /** The id, when a top-level `"id"` held a text or a whole number. */
  get id(): string | number | null {
    return this.#id;
  }

  #take(byte: number): void {
    if (this.#inText) return this.#takeText(byte);
    switch (byte) {
      case 0x22:
        this.#inText = true;
        return this.#keep(byte);
      case 0x7b:
      case 0x5b:
        this.#depth += 1;
        this.#token = '';
        return undefined;
      case 0x7d:
      case 0x5d:
        if (this.#depth === 1) this.#endValue();
        this.#depth -= 1;
        return undefined;
      case 0x3a:
        if (this.#depth === 1) this.#key = this.#token.trim();
        this.#token = '';
        return undefined;
      case 0x2c:
        if (this.#depth === 1) this.#endValue();
        return undefined;
      default:
        return this.#keep(byte);
    }
  }

  #takeText(byte: number): void {
    this.#keep(byte);
    if (this.#escaped) this.#escaped = false;
    else if (byte === 0x5c) this.#escaped = true;
    else if (byte === 0x22) this.#inText = false;
  }

  #keep(byte: number): void {
    if (this.#depth === 1 && this.#token.length <= MAX_TOKEN) this.#token += String.fromCharCode(byte);
  }

  #endValue(): void {
    if (this.#key === '"id"') this.#id = parseId(this.#token);
    this.#token = '';
    this.#key = '';
  }
}

function parseId(token: string): string | number | null {
  try {
    const value: unknown = token.length > MAX_TOKEN || /[^\x00-\x7f]/.test(token) ? null : JSON.parse(token);
    return typeof value === 'string' || Number.isSafeInteger(value) ? (value as string | number) : null;
  } catch {
    return null;
  }
}
