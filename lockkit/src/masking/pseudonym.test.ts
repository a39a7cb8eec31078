import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openKeyedHash } from './keyed-hash.js';
import { openPseudonyms } from './pseudonym.js';

describe('openKeyedHash', () => {
  it('equals HMAC-SHA256 of node:crypto for every key and message', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        fc.string({ unit: 'grapheme', maxLength: 80 }),
        (key, message) => {
          const digest = createHmac('sha256', Buffer.from(key)).update(message, 'utf8').digest();
          expect(openKeyedHash(Buffer.from(key))(message)).toEqual([
            digest.readUInt32BE(0),
            digest.readUInt32BE(4),
          ]);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('openPseudonyms', () => {
  it('is the first 60 bits of the HMAC in Crockford base32', () => {
    const key = randomBytes(32);
    const digest = createHmac('sha256', key).update('email\0a@example.org').digest();
    const bits = BigInt(`0x${digest.subarray(0, 8).toString('hex')}`) >> 4n;
    let expected = '';
    for (let shift = 55n; shift >= 0n; shift -= 5n) {
      expected += '0123456789ABCDEFGHJKMNPQRSTVWXYZ'[Number((bits >> shift) & 31n)];
    }
    expect(openPseudonyms(key)('email', 'a@example.org')).toBe(expected);
  });

  it('keeps kinds apart', () => {
    const name = openPseudonyms(randomBytes(32));
    expect(name('card', '1')).not.toBe(name('phone', '1'));
  });

  it('gives no name without a whole key', () => {
    expect(() => openPseudonyms(Buffer.alloc(16))).toThrow();
  });
});
