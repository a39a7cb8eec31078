// A signed statement of how long the log was and what its last hash was, in the checkpoint form (C2SP): origin, size,
// root, signature. The root is the hash of the last record: our log is a chain, not a tree. Written beside the log and
// given to whoever keeps it elsewhere: only such a copy shows that the end of the log was cut off.
import type { KeyObject } from 'node:crypto';
import { openNote, signNote, type NoteVerifier } from './signed-note.js';
import type { AuditHead } from './record.js';

/** The note's text, its newline at the end included. */
export function encodeCheckpoint(head: AuditHead, verifier: NoteVerifier, privateKey: KeyObject): string {
  const root = Buffer.from(head.hash, 'hex').toString('base64');
  return signNote(`${verifier.name}\n${head.seq}\n${root}\n`, verifier, privateKey);
}

/** The head that a checkpoint states; null when it is not one of this log, or not signed by its key. */
export function parseCheckpoint(note: string, verifier: NoteVerifier): AuditHead | null {
  const text = openNote(note, verifier);
  const match = text === null ? null : /^([^\n]+)\n(0|[1-9]\d{0,15})\n([A-Za-z0-9+/]{43}=)\n/.exec(text);
  if (match === null || match[1] !== verifier.name) return null;
  return { seq: Number(match[2]), hash: Buffer.from(match[3] ?? '', 'base64').toString('hex') };
}
