// A hub in a process of its own, to be killed: `folder`, the token's hash and the decider's key are its arguments. Its
// record begins a new file every few changes.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { lockFile } from '../../native/kernel.js';
import { accessOf } from '../hub/access.js';
import { openHubServer } from '../hub/hub-server.js';
import { openEmbeddedStore } from '../store/embedded-store.js';

const [folder = '', tokenHash = '', human = ''] = process.argv.slice(2);
const later = (ms: number, call: () => void): (() => void) => {
  const timer = setTimeout(call, ms);
  return () => clearTimeout(timer);
};
await openHubServer({
  listen: { kind: 'unix', path: join(folder, 'hub.sock') },
  access: accessOf({
    locks: [{ owner: 'web', tokenHash, lock: 'lockssh', instance: '', profile: 'web' }],
    deciders: new Map([[human, 'human']]),
    ownUid: process.geteuid?.() ?? -1,
  }),
  store: await openEmbeddedStore({ folder: join(folder, 'record'), lock: lockFile, fileBytes: 4096 }),
  nowMs: Date.now,
  randomBytes,
  later,
  onFault: (message) => process.stderr.write(`${message}\n`),
});
process.stdout.write('ready\n');
