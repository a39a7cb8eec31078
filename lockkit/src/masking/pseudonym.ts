// The name a value goes by during one console run: the same value has the same name, and nobody without the key
// can go back from the name or compare two runs. Called by the masker; the key never leaves it.
import { openKeyedHash } from './keyed-hash.js';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const MAX_REMEMBERED = 65_536;
export const PSEUDONYM_KEY_BYTES = 32;

/** Names a normalised value of a kind. */
export type NameValue = (kind: string, normalised: string) => string;

/**
 * 60 bits of HMAC-SHA256 over kind, a zero byte and the normalised value, as 12 characters of Crockford base32
 * (docs/decisions.md, "Masking"). Names are remembered up to a bound; that changes no name.
 */
export function openPseudonyms(key: Buffer): NameValue {
  if (key.length !== PSEUDONYM_KEY_BYTES) throw new Error('a masker needs a key of 32 bytes');
  const hash = openKeyedHash(Buffer.from(key));
  const known = new Map<string, Map<string, string>>();
  let remembered = 0;
  const forget = (): void => {
    known.clear();
    remembered = 0;
  };
  return (kind, normalised) => {
    if (remembered >= MAX_REMEMBERED) forget();
    let names = known.get(kind);
    if (names === undefined) known.set(kind, (names = new Map()));
    let code = names.get(normalised);
    if (code === undefined) {
      code = encodeBits(...hash(`${kind}\0${normalised}`));
      names.set(normalised, code);
      remembered += 1;
    }
    return code;
  };
}

/** The first 60 of the 64 bits, five a character. */
function encodeBits(high: number, low: number): string {
  let code = '';
  for (let at = 27; at >= 2; at -= 5) code += CROCKFORD[(high >>> at) & 31];
  code += CROCKFORD[((high & 3) << 3) | (low >>> 29)];
  for (let at = 24; at >= 4; at -= 5) code += CROCKFORD[(low >>> at) & 31];
  return code;
}
