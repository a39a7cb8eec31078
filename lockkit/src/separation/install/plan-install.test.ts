import { execFileSync, spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KEPT_VARIABLES } from '../kept-variables.js';
import { account } from '../test/memory-io.js';
import { client } from '../test/sample-facts.js';
import type { InstallFacts } from './install-facts.js';
import { parseInstallOptions } from './install-options.js';
import { quote, type InstallRefusal, type Planned } from './install-plan.js';
import { planInstall } from './plan-install.js';
import { planUninstall } from './plan-uninstall.js';
import { renderScript } from './render-script.js';
import { renderStarter } from './starter.js';

const options = parseInstallOptions('lockssh', { client: ['agent'] });

const fresh: InstallFacts = {
  uid: 0,
  settings: null,
  user: 'lockssh',
  service: null,
  group: 'lockssh-clients',
  clientGid: null,
  userGroupExists: false,
  homeExists: false,
  clients: [client],
  unknownClients: [],
  program: {
    node: '/usr/bin/node',
    packages: [
      {
        folder: "/opt/it's here/lockssh",
        place: 'node_modules/@lockkit/lockssh',
        entries: ['package.json', 'dist/a', 'dist/b'],
      },
    ],
    command: 'node_modules/@lockkit/lockssh/bin/lockssh.cjs',
    window: 'node_modules/@lockkit/tui/bin/lox.mjs',
    isInstalled: false,
    writable: [],
    writers: [],
  },
  starter: 'absent',
  window: 'absent',
  library: 'absent',
  hasTmpfiles: true,
  isProcHidden: false,
  isProcInFstab: false,
  shell: '/bin/bash',
  groupUsedBy: [],
  groupIsOurs: true,
  running: [],
};

const settings = { socketDir: '/run/lockssh', allowedUids: [], x11: 'warn', productionLevel: 3 } as const;
const service = account('lockssh', 990);

function scriptOf(planned: Planned): string {
  if (planned.kind === 'refused') throw new Error(JSON.stringify(planned.refusals));
  return renderScript(planned.plan);
}

function codesOf(planned: Planned): readonly InstallRefusal['code'][] {
  return planned.kind === 'plan' ? [] : planned.refusals.map(({ code }) => code);
}

describe('parseInstallOptions', () => {
  test.each([
    '',
    'a b',
    '-x',
    '$(id)',
    'a;b',
    "a'b",
    'Ünïcode',
    'a\nb',
    '..',
    'a/b',
    '1agent',
    'A',
    'a'.repeat(32),
    '*',
  ])('hostile name %j: UserMistake that does not hold it', (name) => {
    for (const flags of [{ client: [name] }, { user: name }, { group: name }])
      expect(() => parseInstallOptions('lockssh', flags)).toThrow(
        expect.objectContaining({
          name: 'UserMistake',
          message: expect.not.stringContaining('$(id)') as string,
        }),
      );
  });

  test('a client named twice is one', () => {
    expect(parseInstallOptions('lockssh', { client: ['a', 'a', 'b'] }).clients).toEqual(['a', 'b']);
  });
});

describe('planInstall', () => {
  test('the script is one that the shell parses', () => {
    const script = scriptOf(planInstall({ ...options, hidepid: true }, fresh));
    expect(spawnSync('/bin/sh', ['-n'], { input: script, encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    });
    expect(script).toContain(`'/opt/it'\\''s here/lockssh/dist/a'`);
    expect(script.indexOf('getent group')).toBeLessThan(script.indexOf('usermod'));
  });

  test.each<readonly [string, InstallRefusal['code'], Partial<InstallFacts>]>([
    ['root as the console’s account', 'user_is_root', { service: { ...service, uid: 0 } }],
    ['the console’s account as client', 'user_is_client', { service: { ...service, uid: client.uid } }],
    ['a group of the account’s name', 'user_name_taken', { userGroupExists: true }],
    ['a home of the account’s name', 'home_taken', { homeExists: true }],
    ['a client without an account', 'client_unknown', { unknownClients: ['agent'] }],
    ['root as client', 'client_is_root', { clients: [{ ...client, uid: 0 }] }],
    [
      'a client in the account’s group',
      'client_in_service_group',
      { service, clients: [{ ...client, gids: [990] }] },
    ],
    ['docker as clients’ group', 'group_is_privileged', { group: 'docker' }],
    ['the account’s own group as clients’ group', 'group_is_service_group', { service, clientGid: 990 }],
    [
      'system.toml with another account',
      'settings_differ',
      { settings: { ...settings, serviceUser: 'keeper' } },
    ],
    [
      'system.toml with another group',
      'settings_differ',
      { settings: { ...settings, clientGroup: 'others' } },
    ],
    [
      'a program that the client can write',
      'program_writable',
      { program: { ...fresh.program, writable: [{ path: '/home/agent/locks', who: 'the client agent' }] } },
    ],
    ['another program of that name', 'starter_foreign', { starter: 'foreign' }],
    ['a lox that others than root may write', 'starter_foreign', { window: 'foreign' }],
    ['another folder of that name', 'library_foreign', { library: 'foreign' }],
  ])('%s: %s', (_title, code, change) => {
    expect(codesOf(planInstall(options, { ...fresh, ...change }))).toEqual([code]);
  });

  test('hidepid over a line of fstab that is there: proc_in_fstab; without --hidepid it is no matter', () => {
    const facts = { ...fresh, isProcInFstab: true };
    expect(codesOf(planInstall({ ...options, hidepid: true }, facts))).toEqual(['proc_in_fstab']);
    expect(codesOf(planInstall(options, facts))).toEqual([]);
  });

  test('what is there stays: an administrator’s system.toml is never written, the installed program never copied', () => {
    const facts: InstallFacts = {
      ...fresh,
      service,
      settings: { ...settings, serviceUser: 'lockssh', clientGroup: 'lockssh-clients' },
      program: { ...fresh.program, isInstalled: true },
      isProcHidden: true,
    };
    const script = scriptOf(planInstall({ ...options, hidepid: true }, facts));
    expect(script).not.toContain('system.toml');
    expect(script).not.toContain('cp -R');
    expect(script).not.toContain('remount');
  });

  test('a system.toml of other keys gets what is missing at its end', () => {
    const script = scriptOf(planInstall(options, { ...fresh, settings }));
    expect(script).toContain(`'service_user = "lockssh"' >> /etc/lockssh/system.toml`);
    expect(script).not.toContain('> /etc/lockssh/system.toml.new');
  });

  test('without tmpfiles.d the folder is made all the same', () => {
    const script = scriptOf(planInstall(options, { ...fresh, hasTmpfiles: false }));
    expect(script).not.toContain('tmpfiles.d');
    expect(script).toContain('install -d -o lockssh -g lockssh-clients -m 2710 /run/lockssh');
  });
});

describe('planInstall: lox', () => {
  const madeBy = (change: Partial<InstallFacts>): string =>
    scriptOf(planInstall(options, { ...fresh, ...change }));

  test('is made beside the command, of the same root-owned files', () => {
    const script = madeBy({});
    expect(script).toContain('/usr/local/bin/lox');
    expect(script).toContain('/usr/local/lib/lockssh/node_modules/@lockkit/tui/bin/lox.mjs');
  });

  test('another lock’s, or another program of that name, stays', () => {
    expect(madeBy({ window: 'others' })).not.toContain('lox.mjs');
  });

  test('is left out where the product comes without it', () => {
    expect(madeBy({ program: { ...fresh.program, window: null } })).not.toContain('/usr/local/bin/lox');
  });
});

describe('planUninstall', () => {
  const installed: InstallFacts = {
    ...fresh,
    service,
    clientGid: 991,
    settings,
    starter: 'ours',
    window: 'ours',
    library: 'ours',
  };

  test('takes away what install made, and never the account', () => {
    const script = scriptOf(planUninstall(options, installed));
    expect(spawnSync('/bin/sh', ['-n'], { input: script })).toMatchObject({ status: 0 });
    expect(script).toContain('groupdel lockssh-clients');
    expect(script).not.toMatch(/^userdel/m);
  });

  test.each([
    ['ours', true],
    ['others', false],
    ['absent', false],
  ] as const)('lox that is %s: whether it goes, and is told, is %s', (window, goes) => {
    const planned = planUninstall(options, { ...installed, window });
    expect(scriptOf(planned).includes('\nrm -f -- /usr/local/bin/lox\n')).toBe(goes);
    expect(planned.kind === 'plan' && planned.plan.notes.some((note) => note.startsWith('lox '))).toBe(goes);
  });

  test.each<readonly [string, Partial<InstallFacts>, string]>([
    ['a group that install did not make', { groupIsOurs: false }, 'groupdel'],
    ['a group that another lock uses', { groupUsedBy: ['lockfile'] }, 'groupdel'],
    ['another program of that name', { starter: 'foreign' }, 'rm -f -- /usr/local/bin/lockssh'],
    ['another folder of that name', { library: 'foreign' }, 'rm -rf -- /usr/local/lib/lockssh'],
  ])('leaves %s', (_title, change, line) => {
    expect(scriptOf(planUninstall(options, { ...installed, ...change }))).not.toContain(`\n${line}`);
  });

  test('console_running and not_installed', () => {
    expect(codesOf(planUninstall(options, { ...installed, running: [7] }))).toEqual(['console_running']);
    expect(codesOf(planUninstall(options, fresh))).toEqual(['not_installed']);
  });
});

describe('quote', () => {
  test('a text without control characters comes through the shell as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(!/[\u0000-\u001f\u007f]/.test(text));
        expect(
          execFileSync('/bin/sh', ['-c', `printf %s ${quote(text) || "''"}`], { encoding: 'utf8' }),
        ).toBe(text);
      }),
      { numRuns: 40 },
    );
  });

  test.each(['a\nb', '\u001b[2J', 'a\0b', '\u007f'])('control characters in %j: UserMistake', (text) => {
    expect(() => quote(text)).toThrow(expect.objectContaining({ name: 'UserMistake' }));
  });
});

describe('renderStarter', () => {
  /** The starter with another program in Node's place. */
  const run = (
    program: string,
    first: string,
    env: Readonly<Record<string, string>>,
    args: readonly string[],
  ): string => {
    const script = renderStarter('# mark', program, first);
    return execFileSync('/bin/sh', ['-c', script, 'starter', ...args], { env, encoding: 'utf8' });
  };

  test('passes the kept variables on, byte for byte, and nothing else', () => {
    const kept = KEPT_VARIABLES.map((name, at) => `${name}=a "$x" '${String(at)}' \\ \`id\` é\n`);
    const env = Object.fromEntries(
      kept.map((pair) => [pair.split('=')[0] as string, pair.slice(pair.indexOf('=') + 1)]),
    );
    const more = { NODE_OPTIONS: '--no-warnings', LD_LIBRARY_PATH: '/x', OPENSSL_CONF: '/x', PATH: '/evil' };
    const seen = run('/usr/bin/env', '-0', { ...env, ...more }, []);
    expect(
      seen
        .split('\0')
        .filter((pair) => pair !== '')
        .sort(),
    ).toEqual([...kept, 'PATH=/usr/local/bin:/usr/bin:/bin'].sort());
  });

  test('what is not set stays unset, and what is empty stays empty', () => {
    const seen = run('/usr/bin/env', '-0', { HOME: '' }, []);
    expect(
      seen
        .split('\0')
        .filter((pair) => pair !== '')
        .sort(),
    ).toEqual(['HOME=', 'PATH=/usr/local/bin:/usr/bin:/bin']);
  });

  test('passes arguments on as they are', () => {
    const args = ['run', '--', 'a b', '', '-x', "it's", 'A=b', '*', '\n'];
    expect(run('/usr/bin/printf', '%s,', {}, args)).toBe(args.map((one) => `${one},`).join(''));
  });
});
