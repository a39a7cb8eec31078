// The key that signs a log's checkpoints: one for each log, made with it, never leaving its folder.
// Called by the writer (which signs) and the verifier (which only reads the public half).
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { UserMistake } from '../contract/fault.js';
import { readPrivateFile, replacePrivateFile } from './private-file.js';
import {
  encodeVerifierKey,
  noteVerifier,
  parseVerifierKey,
  rawPublicKey,
  type NoteVerifier,
} from './signed-note.js';

const MAX_KEY_BYTES = 4096;

export interface AuditKey {
  readonly privateKey: KeyObject;
  readonly verifier: NoteVerifier;
}

/** The log's key, made when neither half is there. A half alone is refused: it is not ours to repair. */
export async function openAuditKey(dir: string): Promise<AuditKey> {
  const pem = await readPrivateFile(privatePath(dir), MAX_KEY_BYTES);
  const known = await readVerifier(dir);
  if (pem === null && known === null) return makeKey(dir);
  const key = pem === null ? null : parseKey(pem);
  if (key === null || (known !== null && !known.keyId.equals(key.verifier.keyId))) {
    throw new UserMistake(
      `the checkpoint key in ${dir} is missing or not the one of this log; move the folder away to begin a new log`,
    );
  }
  if (known === null) await writeVerifier(dir, key.verifier);
  return key;
}

/** The public half beside the log; null where there is none or where it is not one. */
export async function readVerifier(dir: string): Promise<NoteVerifier | null> {
  const text = await readPrivateFile(join(dir, 'checkpoint-key.pub'), MAX_KEY_BYTES);
  return text === null ? null : parseVerifierKey(text);
}

async function makeKey(dir: string): Promise<AuditKey> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const verifier = noteVerifier(nameFor(publicKey), publicKey);
  await replacePrivateFile(privatePath(dir), privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  await writeVerifier(dir, verifier);
  return { privateKey, verifier };
}

function parseKey(pem: string): AuditKey | null {
  try {
    const privateKey = createPrivateKey(pem);
    const publicKey = createPublicKey(privateKey);
    return privateKey.asymmetricKeyType === 'ed25519'
      ? { privateKey, verifier: noteVerifier(nameFor(publicKey), publicKey) }
      : null;
  } catch {
    return null;
  }
}

/** Says what it is, and tells logs apart. */
function nameFor(publicKey: KeyObject): string {
  return `lockkit-audit/${rawPublicKey(publicKey).toString('hex').slice(0, 16)}`;
}

function privatePath(dir: string): string {
  return join(dir, 'checkpoint-key');
}

async function writeVerifier(dir: string, verifier: NoteVerifier): Promise<void> {
  await replacePrivateFile(join(dir, 'checkpoint-key.pub'), `${encodeVerifierKey(verifier)}\n`);
}
