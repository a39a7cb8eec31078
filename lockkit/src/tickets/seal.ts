// Values that the human types, sealed to a ticket's one-use key by HPKE (docs/hub-protocol.md, section 6).
// Deciders call sealValue, the lock openSealKey. Opening ends the key, whether it works or not; values are bytes and
// the caller wipes them.
import type { webcrypto } from 'node:crypto';
import { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core';
import type { SealedValue } from './decision.js';
import { decodeExact } from './signing.js';
import { hashTicket, type Ticket, type TicketInput } from './ticket.js';

const INFO = new TextEncoder().encode('lockkit input v1');
const KEY_BYTES = 32;
const LENGTH_BYTES = 2;
const TAG_BYTES = 16;

export type OpenedValues = ReadonlyMap<string, Buffer>;

export interface SealKey {
  /** For the ticket. */
  readonly publicKey: string;
  /** Opens all inputs of this ticket, or nothing (null). The key is gone after the first call. */
  readonly open: (
    ticket: Ticket,
    sealed: Readonly<Record<string, SealedValue>>,
  ) => Promise<OpenedValues | null>;
  readonly drop: () => void;
}

const makeSuite = (): CipherSuite =>
  new CipherSuite({ kem: new DhkemX25519HkdfSha256(), kdf: new HkdfSha256(), aead: new Aes256Gcm() });

function boundTo(ticketHash: string, name: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${ticketHash}\n${name}`);
}

export async function openSealKey(): Promise<SealKey> {
  const { kem } = makeSuite();
  const pair = await kem.generateKeyPair();
  const publicKey = Buffer.from(await kem.serializePublicKey(pair.publicKey)).toString('base64url');
  return sealKeyOf(publicKey, pair.privateKey);
}

export function sealKeyOf(publicKey: string, privateKey: webcrypto.CryptoKey): SealKey {
  let held: webcrypto.CryptoKey | undefined = privateKey;
  return {
    publicKey,
    drop: () => (held = undefined),
    open: async (ticket, sealed) => {
      const key = held;
      held = undefined;
      return key === undefined ? null : openAll(key, ticket, sealed);
    },
  };
}

async function openAll(
  key: webcrypto.CryptoKey,
  ticket: Ticket,
  sealed: Readonly<Record<string, SealedValue>>,
): Promise<OpenedValues | null> {
  const hash = hashTicket(ticket);
  const values = new Map<string, Buffer>();
  for (const input of ticket.inputs ?? []) {
    const value = await openOne(key, hash, input, sealed[input.name]);
    if (value === null) {
      for (const opened of values.values()) opened.fill(0);
      return null;
    }
    values.set(input.name, value);
  }
  return values;
}

async function openOne(
  recipientKey: webcrypto.CryptoKey,
  ticketHash: string,
  { name, max_bytes: maxBytes }: TicketInput,
  value: SealedValue | undefined,
): Promise<Buffer | null> {
  const enc = decodeExact(value?.enc ?? '', KEY_BYTES);
  const ct = decodeExact(value?.ct ?? '', LENGTH_BYTES + maxBytes + TAG_BYTES);
  if (enc === null || ct === null) return null;
  try {
    const params = { recipientKey, enc: toArrayBuffer(enc), info: INFO };
    const opened = await makeSuite().open(params, toArrayBuffer(ct), boundTo(ticketHash, name));
    return unpad(Buffer.from(opened), maxBytes);
  } catch {
    // The library's errors say why; for the lock there is one reason only: it does not open.
    return null;
  }
}

function unpad(plain: Buffer, maxBytes: number): Buffer | null {
  const length = plain.readUInt16BE(0);
  const isPadded = length <= maxBytes && plain.subarray(LENGTH_BYTES + length).every((byte) => byte === 0);
  const value = isPadded ? Buffer.from(plain.subarray(LENGTH_BYTES, LENGTH_BYTES + length)) : null;
  plain.fill(0);
  return value;
}

/** Seals one typed value for one input of a verified ticket. Throws an Error for a value over `max_bytes`. */
export async function sealValue(ticket: Ticket, name: string, value: Uint8Array): Promise<SealedValue> {
  const input = ticket.inputs?.find((one) => one.name === name);
  const raw = decodeExact(ticket.seal_key ?? '', KEY_BYTES);
  if (input === undefined || raw === null) throw new Error('the ticket has no such input');
  if (value.length > input.max_bytes) throw new Error('a value is longer than its input takes');
  const plain = Buffer.alloc(LENGTH_BYTES + input.max_bytes);
  plain.writeUInt16BE(value.length);
  plain.set(value, LENGTH_BYTES);
  const suite = makeSuite();
  const recipientPublicKey = await suite.kem.deserializePublicKey(toArrayBuffer(raw));
  const params = { recipientPublicKey, info: INFO };
  const sealed = await suite.seal(params, toArrayBuffer(plain), boundTo(hashTicket(ticket), name));
  plain.fill(0);
  return {
    enc: Buffer.from(sealed.enc).toString('base64url'),
    ct: Buffer.from(sealed.ct).toString('base64url'),
  };
}

/** The library takes whole ArrayBuffers; a Buffer may be a view into the pool. */
function toArrayBuffer(bytes: Uint8Array): ArrayBuffer {
  return Uint8Array.from(bytes).buffer;
}
