// The name a value goes by during one console run: the same value has the same name, and nobody without the key
// can go back from the name or compare two runs. Called by the masker; the key never leaves it.
import { createHmac } from 'node:crypto';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const PSEUDONYM_LENGTH = 12;
export const PSEUDONYM_KEY_BYTES = 32;

/** 60 bits of HMAC-SHA256 over kind, a zero byte and the normalised value, as 12 characters (docs/decisions.md, Masking). */
export function encodePseudonym(key: Buffer, kind: string, normalised: string): string {
  const digest = createHmac('sha256', key).update(kind).update('\0').update(normalised).digest();
  let bits = 0;
  let held = 0;
  let next = 0;
  let code = '';
  while (code.length < PSEUDONYM_LENGTH) {
    if (held < 5) {
      bits = ((bits << 8) | (digest[next++] ?? 0)) & 0x1fff;
      held += 8;
    }
    held -= 5;
    code += CROCKFORD[(bits >> held) & 31];
  }
  return code;
}
