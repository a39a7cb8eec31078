// lockkit/native: the kernel facts Node does not offer.
export {
  accountByName,
  accountByUid,
  groupByName,
  hardenProcess,
  lockFile,
  peerOf,
  type Account,
  type Peer,
} from './native/kernel.js';
