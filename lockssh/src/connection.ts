// The connection: known_hosts, host keys and the one place that connects.
export {
  checkKnownHosts,
  encodeKnownHostsLine,
  recordedKeyTypes,
  type KnownHostsVerdict,
} from './connection/known-hosts.js';
export { parseHostKey, renderFingerprint, type HostKey } from './connection/host-key.js';
export { keyTypeOf, orderHostKeyAlgorithms } from './connection/algorithms.js';
