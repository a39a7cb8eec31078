// Facts of a machine that is set up as it should be: a text console of the console's own account, one client. Tests
// change one thing at a time.
import type { SystemSettings } from '../../setting/system-settings.js';
import type { ClientFact, LoginSession, SessionFacts } from '../session-facts.js';

export const SERVICE_UID = 990;
export const CLIENT_GID = 991;

export const client: ClientFact = {
  name: 'agent',
  uid: 1001,
  gid: 1001,
  gids: [1001, CLIENT_GID],
  home: '/home/agent',
  rootWays: [],
  deviceGroups: [],
};

export const session: LoginSession = {
  id: '3',
  uid: SERVICE_UID,
  type: 'tty',
  seat: 'seat0',
  remote: false,
};

const service = {
  name: 'keeper',
  uid: SERVICE_UID,
  gid: SERVICE_UID,
  gids: [SERVICE_UID],
  home: '/var/lib/keeper',
};

export const goodFacts: SessionFacts = {
  uid: SERVICE_UID,
  account: service,
  loginUid: SERVICE_UID,
  terminals: [{ kind: 'console', path: '/dev/tty3', uid: SERVICE_UID }],
  session,
  hasX11Display: false,
  isMultiplexed: false,
  container: null,
  service,
  clientGid: CLIENT_GID,
  clients: [client],
  procMounts: [{ path: '/proc', hidepid: 'invisible', exemptGid: null }],
  program: { node: '/usr/local/lib/lockssh/bin/node', unsafe: [], unsafeCount: 0, writers: [] },
  foreignVariables: [],
  home: { path: '/var/lib/keeper', kind: 'folder', uid: SERVICE_UID, gid: SERVICE_UID, mode: 0o700 },
  socketFolder: { path: '/run/lockssh', kind: 'folder', uid: SERVICE_UID, gid: CLIENT_GID, mode: 0o2710 },
  systemFile: [
    { path: '/etc/lockssh/system.toml', kind: 'file', uid: 0, gid: 0, mode: 0o644 },
    { path: '/etc/lockssh', kind: 'folder', uid: 0, gid: 0, mode: 0o755 },
  ],
};

export const goodSettings: SystemSettings = {
  serviceUser: 'keeper',
  clientGroup: 'lockssh-clients',
  socketDir: '/run/lockssh',
  allowedUids: [],
  x11: 'warn',
  productionLevel: 3,
};
