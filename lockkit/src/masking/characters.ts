// Byte classes of the view that several detectors walk over. A byte of a multi-byte character counts as a letter.

const DIGIT = 1;
const LETTER = 2;
const HEX = 4;
const HIGH = 8;

const CLASS = new Uint8Array(256);
for (let byte = 0; byte < 256; byte++) {
  const char = String.fromCharCode(byte);
  let bits = byte >= 0x80 ? HIGH : 0;
  if (/[0-9]/.test(char)) bits |= DIGIT | HEX;
  if (/[A-Za-z]/.test(char)) bits |= LETTER;
  if (/[A-Fa-f]/.test(char)) bits |= HEX;
  CLASS[byte] = bits;
}

/** All take `undefined` (outside the view) for "none of it". */
export function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

export function isLetter(byte: number | undefined): boolean {
  return byte !== undefined && ((CLASS[byte] as number) & LETTER) !== 0;
}

export function isHex(byte: number | undefined): boolean {
  return byte !== undefined && ((CLASS[byte] as number) & HEX) !== 0;
}

/** A letter or digit of any script. */
export function isAlnum(byte: number | undefined): boolean {
  return byte !== undefined && CLASS[byte] !== 0;
}

/** A letter or digit of any script, or an underscore. */
export function isWord(byte: number | undefined): boolean {
  return isAlnum(byte) || byte === 0x5f;
}
