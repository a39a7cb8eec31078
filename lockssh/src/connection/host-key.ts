// A host's public key as bytes: its type, its shape and the fingerprint that a human compares.
// Called by the known_hosts check and the host-key question. It must never accept a blob of another type or length.

import { createHash } from 'node:crypto';

/** A public key in the wire form of RFC 4253: a string with the type's name, then the key's parts. */
export interface HostKey {
  readonly type: string;
  readonly blob: Buffer;
}

/** The number of length-prefixed parts after the type's name, by type. */
const PARTS: Readonly<Record<string, number>> = {
  'ssh-ed25519': 1,
  'ssh-rsa': 2,
  'ssh-dss': 4,
  'ecdsa-sha2-nistp256': 2,
  'ecdsa-sha2-nistp384': 2,
  'ecdsa-sha2-nistp521': 2,
  'sk-ssh-ed25519@openssh.com': 2,
  'sk-ecdsa-sha2-nistp256@openssh.com': 3,
};

/** The key that a blob holds, or null when it is no well-formed key. A type that is not known here still counts. */
export function parseHostKey(blob: Buffer): HostKey | null {
  const parts = parseParts(blob);
  const type = parts?.[0]?.toString('latin1');
  if (parts === null || type === undefined || !/^[\x21-\x7e]+$/u.test(type) || parts.length < 2) return null;
  const wanted = Object.hasOwn(PARTS, type) ? PARTS[type] : undefined;
  if (wanted !== undefined && parts.length !== wanted + 1) return null;
  if (type === 'ssh-ed25519' && parts[1]?.length !== 32) return null;
  if (type.startsWith('ecdsa-sha2-') && `ecdsa-sha2-${parts[1]?.toString('latin1')}` !== type) return null;
  return { type, blob };
}

/** The fingerprint as OpenSSH prints it: `SHA256:` and unpadded base64. */
export function renderFingerprint(key: HostKey): string {
  return `SHA256:${createHash('sha256').update(key.blob).digest('base64').replace(/=+$/u, '')}`;
}

function parseParts(blob: Buffer): readonly Buffer[] | null {
  const parts: Buffer[] = [];
  let at = 0;
  while (at < blob.length) {
    if (at + 4 > blob.length) return null;
    const end = at + 4 + blob.readUInt32BE(at);
    if (end > blob.length) return null;
    parts.push(blob.subarray(at + 4, end));
    at = end;
  }
  return parts;
}
