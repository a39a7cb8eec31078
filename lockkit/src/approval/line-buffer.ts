// The bytes of the line that is being typed. Used by the terminal form of the human; wiped whenever it is emptied,
// because it may hold a secret. Must never be turned into a string here.

const MAX_LINE_BYTES = 65536;

export interface LineBuffer {
  /** False, and nothing added, when the line would become too long. */
  readonly append: (bytes: Uint8Array) => boolean;
  /** Takes off the last character (of UTF-8) and gives its bytes; none when empty. */
  readonly erase: () => Uint8Array;
  /** A copy that the caller owns. */
  readonly copy: () => Uint8Array;
  readonly length: () => number;
  readonly wipe: () => void;
}

export function createLineBuffer(maxBytes: number = MAX_LINE_BYTES): LineBuffer {
  const buffer = new Uint8Array(maxBytes);
  let length = 0;
  return {
    append: (bytes) => {
      if (length + bytes.length > maxBytes) return false;
      buffer.set(bytes, length);
      length += bytes.length;
      return true;
    },
    erase: () => {
      const start = lastCharacterStart(buffer, length);
      const erased = buffer.slice(start, length);
      buffer.fill(0, start, length);
      length = start;
      return erased;
    },
    copy: () => buffer.slice(0, length),
    length: () => length,
    wipe: () => {
      buffer.fill(0, 0, length);
      length = 0;
    },
  };
}

function lastCharacterStart(buffer: Uint8Array, length: number): number {
  let start = Math.max(0, length - 1);
  while (start > 0 && length - start < 4 && ((buffer[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  return start;
}
