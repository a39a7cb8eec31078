// Turns the bytes of a private key file into a key that can sign, or says what is wrong with it.
// Called before anything touches the network. No error may hold the key or its passphrase; nothing signs with SHA-1.

import ssh2, { type ParsedKey } from 'ssh2';
import { ConnectionFault, type ConnectionCause } from './connection-fault.js';

const { utils } = ssh2;

/** Throws ConnectionFault: passphrase_needed, wrong_passphrase or key_unsupported. Both buffers stay the caller's. */
export function parsePrivateKey(file: Buffer, passphrase: Buffer | null): ParsedKey {
  const text = normaliseText(file);
  const lock = decideLock(text);
  if (lock.kind === 'unsupported') throw new ConnectionFault(lock.cause);
  if (lock.kind === 'encrypted' && passphrase === null)
    throw new ConnectionFault({ kind: 'passphrase_needed' });
  const key = parseQuietly(text, lock.kind === 'encrypted' ? passphrase : null);
  if (key === null && lock.kind === 'encrypted') throw new ConnectionFault({ kind: 'wrong_passphrase' });
  if (key === null || !key.isPrivateKey())
    throw new ConnectionFault({ kind: 'key_unsupported', format: 'other' });
  if (key.type === 'ssh-dss') throw new ConnectionFault({ kind: 'key_unsupported', format: 'dsa' });
  return withoutSha1(key);
}

type Lock =
  | { readonly kind: 'open' }
  | { readonly kind: 'encrypted' }
  | { readonly kind: 'unsupported'; readonly cause: ConnectionCause };

const OPENSSH_CIPHERS = ['aes256-ctr', 'aes192-ctr', 'aes128-ctr', 'aes256-cbc', 'aes192-cbc', 'aes128-cbc'];
const OPENSSH_AEAD = ['aes256-gcm@openssh.com', 'aes128-gcm@openssh.com'];

function decideLock(text: string): Lock {
  const unsupported = (format: 'pkcs8' | 'putty' | 'cipher' | 'other'): Lock => ({
    kind: 'unsupported',
    cause: { kind: 'key_unsupported', format },
  });
  if (/^PuTTY-User-Key-File-/u.test(text)) return unsupported('putty');
  if (/^-----BEGIN (?:ENCRYPTED )?PRIVATE KEY-----/u.test(text)) return unsupported('pkcs8');
  if (/^-----BEGIN (?:RSA|EC|DSA) PRIVATE KEY-----/u.test(text)) {
    return { kind: /^Proc-Type: 4,ENCRYPTED$/mu.test(text) ? 'encrypted' : 'open' };
  }
  const cipher = opensshCipher(text);
  if (cipher === null) return unsupported('other');
  if (cipher === 'none') return { kind: 'open' };
  return [...OPENSSH_CIPHERS, ...OPENSSH_AEAD].includes(cipher)
    ? { kind: 'encrypted' }
    : unsupported('cipher');
}

/** The cipher that an `openssh-key-v1` file names, or null when it is no such file. */
function opensshCipher(text: string): string | null {
  const body =
    /^-----BEGIN OPENSSH PRIVATE KEY-----\n([A-Za-z0-9+/=\n]+)-----END OPENSSH PRIVATE KEY-----/u.exec(text);
  if (body?.[1] === undefined) return null;
  const bytes = Buffer.from(body[1], 'base64');
  const magic = 'openssh-key-v1\0';
  if (bytes.subarray(0, magic.length).toString('latin1') !== magic || bytes.length < magic.length + 4)
    return null;
  const at = magic.length + 4;
  const cipher = bytes.subarray(at, at + Math.min(bytes.readUInt32BE(magic.length), 64)).toString('latin1');
  bytes.fill(0);
  return cipher;
}

// A file that was edited on Windows is still the same key.
function normaliseText(file: Buffer): string {
  return `${file
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/u, '')
    .replaceAll('\r\n', '\n')
    .trim()}\n`;
}

function parseQuietly(text: string, passphrase: Buffer | null): ParsedKey | null {
  try {
    const parsed = utils.parseKey(text, passphrase ?? undefined);
    const key = Array.isArray(parsed) ? parsed[0] : parsed;
    return key === undefined || key instanceof Error ? null : key;
  } catch {
    return null;
  }
}

/** The library signs with SHA-1 where a server names no better; an Error is its way to skip a signature. */
function withoutSha1(key: ParsedKey): ParsedKey {
  if (key.type !== 'ssh-rsa') return key;
  const sign = key.sign.bind(key);
  const guarded = (data: Buffer | string, algorithm?: string): Buffer =>
    algorithm === 'sha256' || algorithm === 'sha512'
      ? sign(data, algorithm)
      : (new Error('SHA-1 signatures are off') as unknown as Buffer);
  return Object.defineProperty(key, 'sign', { value: guarded });
}
