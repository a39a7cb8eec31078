// HMAC-SHA256 of short messages under one key, many thousand times a second: a log names an address on every line, and
// the platform's HMAC costs more than finding it. The key's two pad blocks are hashed once. Called by pseudonym.ts;
// a property holds it against node:crypto. Messages longer than one block go to node:crypto.
import { createHmac } from 'node:crypto';

const BLOCK = 64;
const MAX_SHORT = BLOCK - 9;
const INITIAL = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];
const ROUND = roundConstants();

/** The first eight bytes of HMAC-SHA256(key, message), as two unsigned words. */
export type KeyedHash = (message: string) => readonly [number, number];

/** `key` has at most 64 bytes. */
export function openKeyedHash(key: Buffer): KeyedHash {
  const inner = padState(key, 0x36);
  const outer = padState(key, 0x5c);
  const block = Buffer.alloc(BLOCK);
  const state = new Int32Array(8);
  const words = new Int32Array(64);
  return (message) => {
    const length = Buffer.byteLength(message, 'utf8');
    if (length > MAX_SHORT) return longHash(key, message);
    block.fill(0);
    block.write(message, 0, 'utf8');
    block[length] = 0x80;
    readWords(block, words);
    words[15] = (BLOCK + length) * 8;
    state.set(inner);
    compress(state, words);
    words.set(state);
    words.fill(0, 8, 16);
    words[8] = 0x80000000 | 0;
    words[15] = (BLOCK + 32) * 8;
    state.set(outer);
    compress(state, words);
    return [(state[0] as number) >>> 0, (state[1] as number) >>> 0];
  };
}

function longHash(key: Buffer, message: string): readonly [number, number] {
  const digest = createHmac('sha256', key).update(message, 'utf8').digest();
  return [digest.readUInt32BE(0), digest.readUInt32BE(4)];
}

function padState(key: Buffer, pad: number): Int32Array {
  const block = Buffer.alloc(BLOCK, pad);
  for (let i = 0; i < key.length; i++) block[i] = (key[i] as number) ^ pad;
  const state = Int32Array.from(INITIAL);
  const words = new Int32Array(64);
  readWords(block, words);
  compress(state, words);
  return state;
}

function compress(state: Int32Array, words: Int32Array): void {
  schedule(words);
  let a = state[0] as number;
  let b = state[1] as number;
  let c = state[2] as number;
  let d = state[3] as number;
  let e = state[4] as number;
  let f = state[5] as number;
  let g = state[6] as number;
  let h = state[7] as number;
  for (let i = 0; i < 64; i++) {
    const sum1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const first = (h + sum1 + ((e & f) ^ (~e & g)) + (ROUND[i] as number) + (words[i] as number)) | 0;
    const sum0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const second = (sum0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  state[0] = (state[0] as number) + a;
  state[1] = (state[1] as number) + b;
  state[2] = (state[2] as number) + c;
  state[3] = (state[3] as number) + d;
  state[4] = (state[4] as number) + e;
  state[5] = (state[5] as number) + f;
  state[6] = (state[6] as number) + g;
  state[7] = (state[7] as number) + h;
}

function readWords(block: Buffer, words: Int32Array): void {
  for (let i = 0; i < 16; i++) words[i] = block.readInt32BE(i * 4);
}

function schedule(words: Int32Array): void {
  for (let i = 16; i < 64; i++) {
    const w15 = words[i - 15] as number;
    const w2 = words[i - 2] as number;
    const s0 = ((w15 >>> 7) | (w15 << 25)) ^ ((w15 >>> 18) | (w15 << 14)) ^ (w15 >>> 3);
    const s1 = ((w2 >>> 17) | (w2 << 15)) ^ ((w2 >>> 19) | (w2 << 13)) ^ (w2 >>> 10);
    words[i] = ((words[i - 16] as number) + s0 + (words[i - 7] as number) + s1) | 0;
  }
}

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4), computed exactly. */
function roundConstants(): Int32Array {
  const primes: bigint[] = [];
  for (let n = 2n; primes.length < 64; n++) if (primes.every((prime) => n % prime !== 0n)) primes.push(n);
  return Int32Array.from(primes, (prime) => Number(BigInt.asIntN(32, cubeRoot(prime << 96n))));
}

function cubeRoot(value: bigint): bigint {
  let low = 0n;
  let high = 1n << 40n;
  while (low < high) {
    const middle = (low + high + 1n) >> 1n;
    if (middle * middle * middle <= value) low = middle;
    else high = middle - 1n;
  }
  return low;
}
