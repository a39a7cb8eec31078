// Who may speak to a hub (docs/hub-protocol.md, section 7): locks by token, deciders by key. The hub's owner holds the
// lists and may change them while it runs; the hub keeps hashes of tokens, never a token.
import { createHash } from 'node:crypto';
import type { DeciderRole } from '../decision.js';

export interface LockAccess {
  /** Names the lock in the record: one token, one owner. */
  readonly owner: string;
  /** SHA-256 of the token, hex. */
  readonly tokenHash: string;
  readonly lock: string;
  readonly instance: string;
  readonly profile: string;
  /** On a Unix socket: the only account that may use the token. */
  readonly uid?: number;
}

export interface HubAccess {
  readonly findLock: (tokenHash: string) => LockAccess | undefined;
  readonly findDecider: (key: string) => DeciderRole | undefined;
  /** May this account connect to the hub's Unix socket at all? */
  readonly mayConnect: (uid: number) => boolean;
}

/** Who a request is from, once proved. */
export type Principal =
  | { readonly kind: 'lock'; readonly id: string; readonly access: LockAccess }
  | { readonly kind: 'decider'; readonly id: string; readonly key: string };

/** 32 random bytes as text: a token, a challenge, a session. */
export function makeToken(randomBytes: (count: number) => Buffer): string {
  return randomBytes(32).toString('base64url');
}

/** Looked up by hash, so that no comparison ever runs over the token itself. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token, 'utf8').digest('hex');
}

/** Access from lists; lox adds a row for each lock that it starts. */
export function accessOf(parts: {
  readonly locks: readonly LockAccess[];
  readonly deciders: ReadonlyMap<string, DeciderRole>;
  readonly ownUid: number;
}): HubAccess {
  const { locks, deciders, ownUid } = parts;
  return {
    findLock: (tokenHash) => locks.find((lock) => lock.tokenHash === tokenHash),
    findDecider: (key) => deciders.get(key),
    mayConnect: (uid) => uid === ownUid || locks.some((lock) => lock.uid === uid),
  };
}
