import { describe, expect, test } from 'vitest';
import { foreignVariables, KEPT_VARIABLES } from './kept-variables.js';
import { readContainer } from './read-container.js';
import { readLoginSession } from './read-login-session.js';
import { parseProcMounts } from './read-proc-mounts.js';
import { readSessionFacts } from './read-session-facts.js';
import { readClients } from './read-clients.js';
import { account, openMemoryIo, type MemoryMachine } from './test/memory-io.js';
import { goodSettings } from './test/sample-facts.js';

describe('readLoginSession', () => {
  const record = 'UID=990\nUSER=keeper\nACTIVE=1\nREMOTE=0\nTYPE=wayland\nSEAT=seat0\nVTNR=3\n';
  const read = (machine: MemoryMachine) => readLoginSession(openMemoryIo({ uid: 990, ...machine }));
  const found = { id: '7', uid: 990, type: 'wayland', seat: 'seat0', remote: false };

  test.each<readonly [string, MemoryMachine]>([
    [
      'the scope of the process, before any variable',
      {
        files: {
          '/proc/self/cgroup': '0::/user.slice/user-990.slice/session-7.scope\n',
          '/run/systemd/sessions/7': record,
          '/run/systemd/sessions/9': record.replace('seat0', ''),
        },
        env: { XDG_SESSION_ID: '9' },
      },
    ],
    [
      'a terminal window: the display of the account’s manager',
      {
        files: {
          '/proc/self/cgroup': '0::/user.slice/user-990.slice/user@990.service/app.slice/term.scope\n',
          '/run/systemd/users/990': 'NAME=keeper\nDISPLAY=7\n',
          '/run/systemd/sessions/7': record,
        },
      },
    ],
    [
      'else the variable',
      {
        files: { '/proc/self/cgroup': '0::/\n', '/run/systemd/sessions/7': record },
        env: { XDG_SESSION_ID: '7' },
      },
    ],
  ])('%s', (_title, machine) => {
    expect(read(machine)).toEqual(found);
  });

  test.each([
    ['none', undefined],
    ['a path', '../../../home/agent/x'],
    ['a long one', 'a'.repeat(99)],
    ['one that no record has', '8'],
  ])('%s as session id: null', (_title, id) => {
    const env = id === undefined ? {} : { XDG_SESSION_ID: id };
    expect(read({ files: { '/run/systemd/sessions/7': record, '/home/agent/x': record }, env })).toBeNull();
  });

  test('a record without a seat, or that does not say that it is local, is a relay', () => {
    const files = { '/run/systemd/sessions/7': 'UID=990\nTYPE=tty\nSEAT=\n' };
    expect(read({ files, env: { XDG_SESSION_ID: '7' } })).toMatchObject({ seat: null, remote: true });
  });
});

describe('readContainer', () => {
  test.each<readonly [string, string | null, MemoryMachine['files']]>([
    ['nothing', null, { '/proc/self/uid_map': '         0          0 4294967295\n' }],
    ['systemd’s own mark', 'systemd-nspawn', { '/run/systemd/container': 'systemd-nspawn\n' }],
    ['a mark that is no name', 'unknown', { '/run/systemd/container': '\u001b[2J' }],
    ['docker', 'docker', { '/.dockerenv': '' }],
    ['podman', 'podman', { '/run/.containerenv': '' }],
    ['a control group of kubernetes', 'unknown', { '/proc/self/cgroup': '0::/kubepods-burstable/x\n' }],
    ['a user namespace', 'user namespace', { '/proc/self/uid_map': '0 100000 65536\n' }],
  ])('%s', (_title, kind, files) => {
    expect(readContainer(openMemoryIo({ files: files ?? {} }))).toBe(kind);
  });
});

describe('parseProcMounts', () => {
  const line = (root: string, path: string, type: string, options: string): string =>
    `22 1 0:21 ${root} ${path} rw,nosuid shared:12 - ${type} proc ${options}`;

  test.each([
    ['rw', 'off'],
    ['rw,hidepid=0', 'off'],
    ['rw,hidepid=1', 'noaccess'],
    ['rw,hidepid=noaccess', 'noaccess'],
    ['rw,hidepid=2', 'invisible'],
    ['rw,hidepid=invisible', 'invisible'],
    ['rw,hidepid=4', 'ptraceable'],
    ['rw,hidepid=something-new', 'off'],
  ] as const)('%s: %s', (options, hidepid) => {
    expect(parseProcMounts(line('/', '/proc', 'proc', options))).toEqual([
      { path: '/proc', hidepid, exemptGid: null },
    ]);
  });

  test('the group that sees all is told; other file systems and parts of /proc are left out', () => {
    const text = [
      line('/', '/', 'ext4', 'rw'),
      line('/', '/proc', 'proc', 'rw,gid=991,hidepid=invisible'),
      line('/sys', '/proc/sys', 'proc', 'ro'),
      line('/', '/srv/jail/proc', 'proc', 'rw'),
      '',
      'garbage',
    ].join('\n');
    expect(parseProcMounts(text)).toEqual([
      { path: '/proc', hidepid: 'invisible', exemptGid: 991 },
      { path: '/srv/jail/proc', hidepid: 'off', exemptGid: null },
    ]);
  });
});

describe('readClients', () => {
  const groups = { clients: 991, sudo: 27, video: 44, docker: 998 };
  const machine = {
    groups,
    accounts: [
      account('alice', 1000, [991, 27]),
      account('bob', 1001, [991]),
      account('carol', 1002, [991, 998, 44]),
      account('dave', 1003),
      { ...account('erin', 1004), gid: 991 },
    ],
    sudoers: ['bob'],
  };
  const read = (allowedUids: readonly number[]) =>
    readClients(openMemoryIo(machine), { group: 'clients', allowedUids });

  test('members by name, by primary group and by number, each once', () => {
    expect(read([1003, 1000, 4242]).map(({ name }) => name)).toEqual([
      'alice',
      'bob',
      'carol',
      'dave',
      'erin',
      'uid 4242',
    ]);
  });

  test('why one may become root, and whether it may read screens', () => {
    const found = Object.fromEntries(read([0]).map((one) => [one.name, one]));
    expect(found['alice']?.rootWays).toEqual([{ kind: 'group', name: 'sudo' }]);
    expect(found['bob']?.rootWays).toEqual([{ kind: 'sudo', name: 'sudo' }]);
    expect(found['carol']).toMatchObject({
      rootWays: [{ kind: 'group', name: 'docker' }],
      deviceGroups: ['video'],
    });
    expect(found['erin']?.rootWays).toEqual([]);
    expect(found['uid 0']?.rootWays).toEqual([{ kind: 'uid', name: 'uid 0' }]);
  });

  test('a group that does not exist has no members', () => {
    expect(readClients(openMemoryIo(machine), { group: 'nobody-there', allowedUids: [] })).toEqual([]);
  });
});

describe('foreignVariables', () => {
  test('what the starter passes on is no stranger', () => {
    const kept = Object.fromEntries([...KEPT_VARIABLES, 'PATH', '_', 'SHLVL'].map((name) => [name, 'x']));
    expect(foreignVariables(kept)).toEqual([]);
  });

  test.each([
    'NODE_OPTIONS',
    'NODE_EXTRA_CA_CERTS',
    'LD_PRELOAD',
    'LD_LIBRARY_PATH',
    'OPENSSL_CONF',
    'SSLKEYLOGFILE',
    'home',
    '',
    'toString',
  ])('hostile name %j is one', (name) => {
    expect(foreignVariables({ [name]: 'x', HOME: '/' })).toEqual([name]);
  });
});

describe('readSessionFacts', () => {
  const files = {
    '/etc/lockssh/system.toml': 'service_user = "keeper"\n',
    '/usr/bin/node': '',
    '/usr/local/lib/lockssh/node_modules/x/package.json': '{"name":"x"}',
    '/home/keeper/': { uid: 990, mode: 0o700 },
  };
  const keeper = account('keeper', 990);
  const wish = {
    settings: goodSettings,
    systemFile: '/etc/lockssh/system.toml',
    productFolder: '/usr/local/lib/lockssh/node_modules/x',
    allowedUids: [],
  };
  const read = (more: Readonly<Record<string, string>>, env = {}) =>
    readSessionFacts(openMemoryIo({ files: { ...files, ...more }, accounts: [keeper], uid: 990, env }), wish);

  test.each([
    ['1000\n', 1000],
    ['0\n', 0],
    ['4294967295\n', null],
    ['', null],
    ['-1', null],
    ['garbage', null],
  ])('loginuid %j is %j', (text, loginUid) => {
    expect(read({ '/proc/self/loginuid': text }).loginUid).toBe(loginUid);
  });

  test('displays, multiplexers and strangers come from the environment', () => {
    expect(read({}, { DISPLAY: ':0', TMUX: '/tmp/x,1,0', LD_PRELOAD: 'x' })).toMatchObject({
      hasX11Display: true,
      isMultiplexed: true,
      foreignVariables: ['LD_PRELOAD'],
    });
    expect(read({}, { DISPLAY: '' })).toMatchObject({ hasX11Display: false, isMultiplexed: false });
  });

  test('what is not there is null or empty, never a guess', () => {
    expect(read({})).toMatchObject({
      uid: 990,
      service: keeper,
      clientGid: null,
      clients: [],
      session: null,
      socketFolder: null,
      container: null,
      procMounts: [],
      program: { unsafeCount: 0 },
    });
  });
});
