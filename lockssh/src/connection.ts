// The connection: known_hosts, host keys, the files that a policy names, and the one place that connects.
export {
  checkKnownHosts,
  encodeKnownHostsLine,
  recordedKeyTypes,
  type KnownHostsVerdict,
} from './connection/known-hosts.js';
export { parseHostKey, renderFingerprint, type HostKey } from './connection/host-key.js';
export { keyTypeOf, orderHostKeyAlgorithms } from './connection/algorithms.js';
export { appendKnownHost } from './connection/append-known-host.js';
export {
  MAX_KEY_FILE_BYTES,
  MAX_KNOWN_HOSTS_BYTES,
  readGuardedFile,
  type GuardedFile,
} from './connection/read-guarded-file.js';
export { parseHost } from './connection/open-socket.js';
export {
  ConnectionFault,
  renderConnectionCause,
  type ConnectionCause,
  type KeyFileProblem,
  type KeyFormat,
} from './connection/connection-fault.js';
export {
  openConnection,
  type Auth,
  type ConnectionOptions,
  type KnownHosts,
  type PresentedHostKey,
} from './connection/open-connection.js';
export type { Account, Connection, RunOptions } from './connection/connection.js';
export type { RunEnd, RunEndKind } from './connection/run-line.js';
export { CONNECTION_LIMITS, type ConnectionLimits } from './connection/limits.js';
export { systemClock, type Clock } from './connection/clock.js';
