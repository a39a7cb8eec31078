// Ed25519 over canonical JSON under a context, and the text forms of keys and signatures (docs/hub-protocol.md,
// section 1). Called by everything that signs or verifies a ticket, a decision or a hub session.
// A signature under one context must never verify under another.
import { createPublicKey, generateKeyPairSync, sign, verify, type KeyObject } from 'node:crypto';
import { canonicalBytes } from './canonical.js';

export type SigningContext = 'lockkit ticket v1' | 'lockkit decision v1' | 'lockkit hub session v1';

/** An Ed25519 pair that lives in memory only; `key` is the text form of its public half. */
export interface SigningKey {
  readonly key: string;
  readonly privateKey: KeyObject;
}

const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

export function makeSigningKey(): SigningKey {
  return signingKeyOf(generateKeyPairSync('ed25519').privateKey);
}

export function signingKeyOf(privateKey: KeyObject): SigningKey {
  const spki = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
  return { key: spki.subarray(-KEY_BYTES).toString('base64url'), privateKey };
}

/** The bytes of canonical base64url text of exactly that many bytes, or null. */
export function decodeExact(text: string, byteCount: number): Buffer | null {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.length === byteCount && bytes.toString('base64url') === text ? bytes : null;
}

export function isKeyText(text: string): boolean {
  return decodeExact(text, KEY_BYTES) !== null;
}

/** 86 characters of base64url. Throws for a value without a canonical form: that is a bug of the caller. */
export function signCanonical(context: SigningContext, value: object, { privateKey }: SigningKey): string {
  return sign(null, signedBytes(context, value), privateKey).toString('base64url');
}

/** false for anything that is not exactly this key's signature of this value; never throws for hostile input. */
export function verifyCanonical(
  context: SigningContext,
  value: object,
  key: string,
  signature: string,
): boolean {
  const bytes = decodeExact(signature, SIGNATURE_BYTES);
  if (bytes === null) return false;
  try {
    const publicKey = publicKeyOf(key);
    return publicKey !== null && verify(null, signedBytes(context, value), publicKey, bytes);
  } catch {
    // No point of the curve, or a value without a canonical form: nobody signed that.
    return false;
  }
}

const MAX_KNOWN_KEYS = 256;
const knownKeys = new Map<string, KeyObject>();

/** Few keys sign many tickets: what was read once is kept. null for text that is no key; throws for no point. */
function publicKeyOf(key: string): KeyObject | null {
  const known = knownKeys.get(key);
  if (known) return known;
  const raw = decodeExact(key, KEY_BYTES);
  if (raw === null) return null;
  const spki = Buffer.concat([SPKI_PREFIX, raw]);
  const publicKey = createPublicKey({ key: spki, format: 'der', type: 'spki' });
  if (knownKeys.size >= MAX_KNOWN_KEYS) knownKeys.clear();
  knownKeys.set(key, publicKey);
  return publicKey;
}

function signedBytes(context: SigningContext, value: object): Buffer {
  return Buffer.concat([Buffer.from(`${context}\0`, 'ascii'), canonicalBytes(value)]);
}
