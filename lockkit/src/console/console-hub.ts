// A console's hub at its start: the key file read once, the other end's account judged, the run's signing key made.
// Called by run-console.ts. The console starts with its hub or not at all.
import type { Human } from '../approval/human.js';
import type { LockContract } from '../contract/lock.js';
import type { Peer } from '../native/kernel.js';
import { readHubKeyFile } from '../tickets/client/key-file.js';
import { makeSigningKey } from '../tickets/signing.js';
import type { Append } from './console-audit.js';
import { openHubDecider, type HubDecider } from './hub-decider.js';
import { mayConnect, type Admission } from './peer-gate.js';

export type { HubDecider } from './hub-decider.js';

/** What `--hub` and `--hub-key-file` name. */
export interface HubWish {
  readonly url: string;
  readonly keyFile: string;
}

export interface ConsoleHubParts {
  readonly human: Pick<Human, 'note'>;
  readonly uid: number;
  readonly nowMs: () => number;
  readonly after: (ms: number, call: () => void) => () => void;
  readonly onTicketKey?: (key: string) => void;
}

/** null where no hub was named. Throws UserMistake when it cannot be used. */
export async function openConsoleHub(
  { name: lock, version }: Pick<LockContract, 'name' | 'version'>,
  wish: { readonly hub?: HubWish; readonly instance?: string; readonly profile: string },
  { human, uid, nowMs, after: later, onTicketKey }: ConsoleHubParts,
  admission: Admission,
  audit: Append,
): Promise<HubDecider | null> {
  const { hub, instance = '', profile } = wish;
  if (hub === undefined) return null;
  const keyFile = readHubKeyFile(hub.keyFile, uid, hub.url);
  const signing = makeSigningKey();
  // The account that decides must not be one that asks.
  const mayServe = (peer: Peer): boolean =>
    peer.uid === uid || peer.uid === 0 || !mayConnect(peer, admission);
  const note = (line: string): void => human.note([line]);
  const place = { lock, version, instance, profile };
  const opened = await openHubDecider({ ...place, keyFile, signing, mayServe, nowMs, later, audit, note });
  await audit('hub.open', { key: signing.key, deciders: keyFile.deciders });
  onTicketKey?.(signing.key);
  return opened;
}
