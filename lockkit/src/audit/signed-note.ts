// A text signed with Ed25519 in the signed-note form (C2SP): the text, an empty line, `— NAME SIGNATURE`.
// Called by checkpoint.ts. Whoever holds the verifier key needs nothing else of ours to check a note.
import { createHash, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';

/** The signature type of Ed25519 in key ids and verifier keys. */
const ED25519 = 0x01;
const KEY_ID_BYTES = 4;
const PUBLIC_KEY_BYTES = 32;
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

export interface NoteVerifier {
  readonly name: string;
  readonly keyId: Buffer;
  readonly publicKey: KeyObject;
}

/** The 32 bytes of an Ed25519 public key. */
export function rawPublicKey(publicKey: KeyObject): Buffer {
  return publicKey.export({ type: 'spki', format: 'der' }).subarray(-PUBLIC_KEY_BYTES);
}

export function noteVerifier(name: string, publicKey: KeyObject): NoteVerifier {
  const typed = Buffer.concat([Buffer.from([ED25519]), rawPublicKey(publicKey)]);
  const keyId = createHash('sha256').update(`${name}\n`).update(typed).digest().subarray(0, KEY_ID_BYTES);
  return { name, keyId, publicKey };
}

/** `NAME+KEYID+BASE64`, the form that other tools take. */
export function encodeVerifierKey(verifier: NoteVerifier): string {
  const typed = Buffer.concat([Buffer.from([ED25519]), rawPublicKey(verifier.publicKey)]);
  return `${verifier.name}+${verifier.keyId.toString('hex')}+${typed.toString('base64')}`;
}

/** null for anything that is not exactly such a key. */
export function parseVerifierKey(text: string): NoteVerifier | null {
  const match = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+={0,2})$/.exec(text.trim());
  if (match === null) return null;
  const typed = Buffer.from(match[3] ?? '', 'base64');
  if (typed.length !== PUBLIC_KEY_BYTES + 1 || typed[0] !== ED25519) return null;
  const spki = Buffer.concat([SPKI_PREFIX, typed.subarray(1)]);
  const verifier = noteVerifier(match[1] ?? '', createPublicKey({ key: spki, format: 'der', type: 'spki' }));
  return verifier.keyId.toString('hex') === match[2] ? verifier : null;
}

/** `text` ends with a newline and holds no empty line. */
export function signNote(text: string, verifier: NoteVerifier, privateKey: KeyObject): string {
  if (!text.endsWith('\n') || text.includes('\n\n')) throw new Error('a note ends with one newline');
  const signature = Buffer.concat([verifier.keyId, sign(null, Buffer.from(text), privateKey)]);
  return `${text}\n— ${verifier.name} ${signature.toString('base64')}\n`;
}

/** The text of a note that this key signed; null when it did not, or when the note is not in the form. */
export function openNote(note: string, verifier: NoteVerifier): string | null {
  const end = note.indexOf('\n\n');
  if (end < 0) return null;
  const text = note.slice(0, end + 1);
  const lines = note.slice(end + 2).split('\n');
  if (lines.pop() !== '' || lines.length === 0) return null;
  return lines.some((line) => isSignature(line, text, verifier)) ? text : null;
}

function isSignature(line: string, text: string, verifier: NoteVerifier): boolean {
  const match = /^— (\S+) ([A-Za-z0-9+/]+={0,2})$/.exec(line);
  if (match === null || match[1] !== verifier.name) return false;
  const signature = Buffer.from(match[2] ?? '', 'base64');
  if (!signature.subarray(0, KEY_ID_BYTES).equals(verifier.keyId)) return false;
  return verify(null, Buffer.from(text), verifier.publicKey, signature.subarray(KEY_ID_BYTES));
}
