// Who asks, for the screen and the audit: the kernel's uid is the identity; pid and program are only shown.
// Called by the console when a connection is accepted.
import { readlinkSync } from 'node:fs';
import { untrusted } from '../approval/untrusted.js';
import type { Line } from '../approval/screen.js';
import { accountByUid, type Peer } from '../native/kernel.js';

export interface PeerInfo extends Peer {
  /** The account's name, or null where the uid has none. */
  readonly account: string | null;
  /** The program's path as /proc tells it, or null; never trusted. */
  readonly exe: string | null;
}

export function describePeer(peer: Peer): PeerInfo {
  return { ...peer, account: accountByUid(peer.uid)?.name ?? null, exe: readExe(peer.pid) };
}

function readExe(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return null;
  }
}

/** `requested by uid 1000 (alice) · pid 48211 · exe /usr/local/bin/lockfile`, and the agent's own words. */
export function originLines(peer: PeerInfo, intent: string | undefined): readonly Line[] {
  const account = peer.account === null ? '' : ` (${peer.account})`;
  const head: Line = [
    `requested by uid ${peer.uid}`,
    untrusted(account),
    ` · pid ${peer.pid} · exe `,
    untrusted(peer.exe ?? 'unknown'),
  ];
  return intent === undefined || intent === '' ? [head] : [head, ['agent: ', untrusted(intent)]];
}

/** Who asked, for a record. */
export function peerFields(peer: PeerInfo): Readonly<Record<string, unknown>> {
  return { peer_uid: peer.uid, peer_pid: peer.pid, peer_exe: peer.exe };
}
