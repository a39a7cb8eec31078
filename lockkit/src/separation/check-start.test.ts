import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkStart, standingWarnings, type StartQuestion } from './check-start.js';
import type { StartCode } from './start-refusal.js';
import type { SessionFacts } from './session-facts.js';
import { client, CLIENT_GID, goodFacts, goodSettings, SERVICE_UID, session } from './test/sample-facts.js';

const good: StartQuestion = {
  facts: goodFacts,
  settings: goodSettings,
  level: 3,
  production: true,
  demo: false,
  lock: { name: 'lockfile', needsHiddenProcesses: true },
};

function withFacts(change: Partial<SessionFacts>): Partial<StartQuestion> {
  return { facts: { ...goodFacts, ...change } };
}

const { serviceUser: _none, ...notInstalled } = goodSettings;
const openFile = { path: '/usr/local/lib/x', kind: 'file', uid: 0, gid: 0, mode: 0o666 } as const;
const unsafe = { node: '/home/a/node', unsafe: [openFile], unsafeCount: 3, writers: [] };
const service = goodFacts.service as NonNullable<SessionFacts['service']>;
const home = goodFacts.home as NonNullable<SessionFacts['home']>;
const folder = goodFacts.socketFolder as NonNullable<SessionFacts['socketFolder']>;
const strong = { ...client, rootWays: [{ kind: 'group', name: 'docker' }] } as const;
const x11: Partial<SessionFacts> = { session: { ...session, type: 'x11' } };

type Row = readonly [title: string, code: StartCode, change: Partial<StartQuestion>];

const ALWAYS: readonly Row[] = [
  ['not installed', 'no_separation', { settings: notInstalled, ...withFacts({ service: null }) }],
  ['installed for an account that is gone', 'no_separation', withFacts({ service: null })],
  [
    'the agent’s account',
    'wrong_account',
    withFacts({ uid: 1001, loginUid: 1001, terminals: [], home: { ...home, uid: 1001 } }),
  ],
  [
    'the console’s account is a client by group',
    'service_is_client',
    withFacts({ service: { ...service, gids: [SERVICE_UID, CLIENT_GID] } }),
  ],
  [
    'the console’s account is a client by number',
    'service_is_client',
    withFacts({ clients: [{ ...client, uid: SERVICE_UID }] }),
  ],
  [
    'a client in the console account’s group',
    'service_group_shared',
    withFacts({ clients: [{ ...client, gids: [1001, SERVICE_UID] }] }),
  ],
  ['su from another login', 'foreign_login', withFacts({ loginUid: 1001 })],
  ['su from root’s login', 'foreign_login', withFacts({ loginUid: 0 })],
  [
    'a terminal of another account',
    'foreign_terminal',
    withFacts({ terminals: [{ kind: 'pseudo', path: '/dev/pts/1', uid: 1001 }] }),
  ],
  ['NODE_OPTIONS', 'unclean_environment', withFacts({ foreignVariables: ['NODE_OPTIONS'] })],
  ['a program that others can write', 'program_writable', withFacts({ program: unsafe })],
  [
    'a program from a client’s files',
    'program_writable',
    withFacts({ program: { ...goodFacts.program, writers: [client.uid] } }),
  ],
  [
    'system.toml of another account',
    'system_file_writable',
    withFacts({ systemFile: [{ ...openFile, uid: 5, mode: 0o644 }] }),
  ],
  [
    'system.toml in a folder that its group can write',
    'system_file_writable',
    withFacts({ systemFile: [{ ...openFile, kind: 'folder', mode: 0o775 }] }),
  ],
  ['no socket folder', 'socket_folder', withFacts({ socketFolder: null })],
  ['a link as socket folder', 'socket_folder', withFacts({ socketFolder: { ...folder, kind: 'link' } })],
  ['a socket folder of the agent', 'socket_folder', withFacts({ socketFolder: { ...folder, uid: 1001 } })],
  ['a socket folder of another group', 'socket_folder', withFacts({ socketFolder: { ...folder, gid: 100 } })],
  [
    'a socket folder that clients can write',
    'socket_folder',
    withFacts({ socketFolder: { ...folder, mode: 0o2730 } }),
  ],
  [
    'a socket folder that all can enter',
    'socket_folder',
    withFacts({ socketFolder: { ...folder, mode: 0o2711 } }),
  ],
  ['a home that others can read', 'home_open', withFacts({ home: { ...home, mode: 0o750 } })],
  ['no home', 'home_open', withFacts({ home: null })],
  [
    'X11, refused by root',
    'x11_refused',
    { ...withFacts(x11), settings: { ...goodSettings, x11: 'refuse' } },
  ],
];

const ON_PRODUCTION: readonly Row[] = [
  ['X11', 'x11_refused', withFacts(x11)],
  ['a client in the group docker', 'client_may_become_root', withFacts({ clients: [client, strong] })],
  ['a lower desktop level than root wants', 'production_level', { level: 2 }],
  [
    'processes that all can see',
    'processes_visible',
    withFacts({ procMounts: [{ path: '/proc', hidepid: 'off', exemptGid: null }] }),
  ],
  [
    'processes whose folders all can see',
    'processes_visible',
    withFacts({ procMounts: [{ path: '/proc', hidepid: 'noaccess', exemptGid: null }] }),
  ],
  [
    'a client in the group that sees all',
    'processes_visible',
    withFacts({ procMounts: [{ path: '/proc', hidepid: 'invisible', exemptGid: CLIENT_GID }] }),
  ],
  [
    'a second /proc that hides nothing',
    'processes_visible',
    withFacts({
      procMounts: [...goodFacts.procMounts, { path: '/srv/proc', hidepid: 'off', exemptGid: null }],
    }),
  ],
  ['no /proc to look at', 'processes_visible', withFacts({ procMounts: [] })],
];

const codes = (question: StartQuestion): readonly StartCode[] => checkStart(question).map(({ code }) => code);

describe('checkStart', () => {
  test('a machine that is set up as it should be: nothing against it', () => {
    expect(checkStart(good)).toEqual([]);
  });

  test('root: root_console among what is refused', () => {
    expect(codes({ ...good, ...withFacts({ uid: 0 }) })).toContain('root_console');
  });

  test.each(ALWAYS)('%s: %s, on production or not', (_title, code, change) => {
    expect(codes({ ...good, ...change, production: false })).toEqual([code]);
    expect(codes({ ...good, ...change })).toContain(code);
  });

  test.each(ON_PRODUCTION)('%s: %s on production alone', (_title, code, change) => {
    expect(codes({ ...good, ...change })).toEqual([code]);
    expect(codes({ ...good, ...change, production: false })).toEqual([]);
  });

  test.each([
    [1, 1],
    [2, 2],
    [3, 3],
  ] as const)('level %i reaches production_level %i', (level, productionLevel) => {
    expect(codes({ ...good, level, settings: { ...goodSettings, productionLevel } })).toEqual([]);
  });

  test('a lock whose effects /proc cannot show needs no hidden processes', () => {
    const visible = withFacts({ procMounts: [{ path: '/proc', hidepid: 'off', exemptGid: null }] });
    expect(codes({ ...good, ...visible, lock: { name: 'lockssh', needsHiddenProcesses: false } })).toEqual(
      [],
    );
  });

  test('every refusal has a reason and a fix that name no agent’s text', () => {
    for (const [, , change] of [...ALWAYS, ...ON_PRODUCTION])
      for (const { reason, fix } of checkStart({ ...good, ...change })) {
        expect(reason.length).toBeGreaterThan(10);
        expect(fix.length).toBeGreaterThan(5);
      }
  });

  test('an environment variable with a hostile name is not printed', () => {
    const [refusal] = checkStart({ ...good, ...withFacts({ foreignVariables: ['\u001b[2JX'] }) });
    expect(refusal?.reason).not.toContain('\u001b');
  });

  test('demo: its own checks, never these', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ALWAYS, ...ON_PRODUCTION), ([, , change]) => {
        expect(checkStart({ ...good, ...change, demo: true })).toEqual([]);
      }),
    );
  });

  test('what is wrong twice is refused at least as much as what is wrong once', () => {
    fc.assert(
      fc.property(fc.subarray([...ALWAYS, ...ON_PRODUCTION], { minLength: 1 }), (rows) => {
        const question = rows.reduce<StartQuestion>(
          (now, [, , { facts = {}, ...rest }]) => ({
            ...now,
            ...rest,
            facts: { ...now.facts, ...changed(facts) },
          }),
          good,
        );
        expect(checkStart(question).length).toBeGreaterThan(0);
      }),
    );
  });
});

/** Only what differs from the good facts, so that changes add up. */
function changed(facts: Partial<SessionFacts>): Partial<SessionFacts> {
  return Object.fromEntries(
    Object.entries(facts).filter(([key, value]) => value !== goodFacts[key as keyof SessionFacts]),
  );
}

describe('standingWarnings', () => {
  const visible = withFacts({ procMounts: [{ path: '/proc', hidepid: 'off', exemptGid: null }] });

  test('visible processes stand on every screen of a lock that minds', () => {
    expect(standingWarnings({ ...good, ...visible, production: false })).toHaveLength(1);
    expect(standingWarnings(good)).toEqual([]);
    expect(
      standingWarnings({ ...good, ...visible, lock: { name: 'lockssh', needsHiddenProcesses: false } }),
    ).toEqual([]);
  });
});
