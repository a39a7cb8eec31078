// Turns any bytes into valid UTF-8, invalid sequences as U+FFFD, the same however they arrive in chunks. Called by the
// mask stream and the masker before anything else looks at the bytes.
import { isUtf8 } from 'node:buffer';

/** Where the last character that is not complete begins, or the length. Only the last three bytes can be open. */
export function completeLength(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) break;
    if (byte >= 0xc0) return sizeOf(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function sizeOf(lead: number): number {
  if (lead >= 0xf0) return lead <= 0xf4 ? 4 : 1;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc2 ? 2 : 1;
}

/** The largest index up to `limit` at which a character begins. */
export function characterStart(bytes: Buffer, limit: number): number {
  let at = Math.min(limit, bytes.length);
  for (let back = 0; back < 3 && at > 0 && at < bytes.length && isContinuation(bytes[at] as number); back++)
    at -= 1;
  return at;
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

/** Valid UTF-8; the same buffer when it was valid already. */
export function toValidUtf8(bytes: Buffer): Buffer {
  return isUtf8(bytes) ? bytes : Buffer.from(bytes.toString('utf8'), 'utf8');
}
