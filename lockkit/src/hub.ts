// lockkit/hub: the hub and its two ends (docs/hub-protocol.md). For the console and for lox; never for the agent's side.
export { openHubServer, type HubServer, type HubServerOptions } from './tickets/hub/hub-server.js';
export { accessOf, hashToken, makeToken, type HubAccess, type LockAccess } from './tickets/hub/access.js';
export type { HubListen } from './tickets/hub/listen.js';
export { HUB_CODES, type HubCode } from './tickets/hub/hub-codes.js';
export { HUB_LIMITS } from './tickets/hub/hub-limits.js';
export { openEmbeddedStore } from './tickets/store/embedded-store.js';
export type { JournalOptions } from './tickets/store/journal.js';
export { StoreFault, type TicketStore } from './tickets/store/ticket-store.js';
export type { ClosingState, HubConsole, HubEntry } from './tickets/hub-entry.js';
export { parseHubUrl, type HubAddress } from './tickets/client/hub-address.js';
export { HubLost, HubRefused, type LostWhy } from './tickets/client/hub-lost.js';
export { readHubKeyFile, type HubKeyFile } from './tickets/client/key-file.js';
export {
  openLockHub,
  type LockHub,
  type LockHubNews,
  type LockHubOptions,
} from './tickets/client/lock-hub.js';
export {
  openDeciderHub,
  type DeciderHub,
  type DeciderHubOptions,
  type DeciderNews,
  type VerifiedEntry,
  type Verdicts,
} from './tickets/client/decider-hub.js';
