// Who may connect, how often and how much at once (docs/decisions.md, "Wire" and "Limits against an agent that
// floods or stalls"). Called by the server for every connection and every request; decides by the uid alone.
import type { Peer } from '../native/kernel.js';
import { WIRE_LIMITS } from '../rpc/limits.js';

export interface Admission {
  /** The console's own account. */
  readonly ownUid: number;
  /** The clients' group, or null where there is none. */
  readonly clientGid: number | null;
  readonly allowedUids: readonly number[];
}

/** May this account speak to the console at all? */
export function mayConnect(peer: Peer, admission: Admission): boolean {
  if (peer.uid === admission.ownUid || admission.allowedUids.includes(peer.uid)) return true;
  const { clientGid } = admission;
  return clientGid !== null && (peer.gid === clientGid || peer.gids.includes(clientGid));
}

interface Use {
  connections: number;
  /** Times of the requests of the last second, oldest first. */
  requestTimes: number[];
}

export class PeerGate {
  readonly #nowMs: () => number;
  readonly #uses = new Map<number, Use>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** false: this account has as many connections as it may. */
  enter(uid: number): boolean {
    const use = this.#use(uid);
    if (use.connections >= WIRE_LIMITS.connectionsPerPeer) return false;
    use.connections++;
    return true;
  }

  leave(uid: number): void {
    const use = this.#use(uid);
    use.connections = Math.max(0, use.connections - 1);
    if (use.connections === 0 && use.requestTimes.length === 0) this.#uses.delete(uid);
  }

  /** false: this account sends faster than it may. */
  request(uid: number): boolean {
    const use = this.#use(uid);
    const nowMs = this.#nowMs();
    use.requestTimes = use.requestTimes.filter((timeMs) => nowMs - timeMs < 1000);
    if (use.requestTimes.length >= WIRE_LIMITS.requestsPerSecond) return false;
    use.requestTimes.push(nowMs);
    return true;
  }

  #use(uid: number): Use {
    const known = this.#uses.get(uid);
    if (known) return known;
    const fresh: Use = { connections: 0, requestTimes: [] };
    this.#uses.set(uid, fresh);
    return fresh;
  }
}
