// A console's hub at its start: the key file read once, the other end's account judged, the run's signing key made.
// Called by run-console.ts. The console starts with its hub or not at all.
import type { Human } from '../approval/human.js';
import { UserMistake } from '../contract/fault.js';
import type { LockContract } from '../contract/lock.js';
import type { Peer } from '../native/kernel.js';
import { readHubKeyFile } from '../tickets/client/key-file.js';
import { makeSigningKey } from '../tickets/signing.js';
import type { Append } from './console-audit.js';
import type { LockType } from './lock-type.js';
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

/** Throws UserMistake where the lock needs a hub and none is named. Called before a screen is opened, and at the start. */
export function checkHub(
  { contract: { name }, needsHub }: Pick<LockType<never>, 'contract' | 'needsHub'>,
  { hub, demo }: { readonly hub?: HubWish; readonly demo: object | null },
): void {
  if (needsHub !== true || hub !== undefined || demo !== null) return;
  throw new UserMistake(
    `the console does not start here:\n  tickets of ${name} are decided through a hub, and none was named (no_hub)\n` +
      `    mend it: lox run   (after \`lox add ${name} …\`), or with the hub that lox shows: --hub URL --hub-key-file FILE`,
  );
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
