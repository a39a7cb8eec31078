// The account boundary itself: lockssh installed by its own command, its console in one real account, the agent in
// another, lox with the hub and the human who decides in a third, a real server behind. What the agent must not reach is
// tried, each attempt with the reason it must fail for.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  asAccount,
  cleanEnv,
  CLIENTS,
  openTwoAccounts,
  type Ran,
  type RunWishes,
  type TestPerson,
  type TwoAccounts,
} from 'lockkit/two-accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attemptsOn, type AttackedConsole } from './agent-attempts.js';
import { openConsolePane, type ConsolePane } from './console-pane.js';
import { testForeignHub } from './foreign-hub.js';
import { openLoxAccount, type LoxAccount } from './lox-account.js';
import { requireReal } from './real-parts.js';
import { openTestServer, type TestServer } from './sshd.js';

const isReal = requireReal(['root', 'sshd', 'ssh-keygen', 'useradd', 'setpriv', 'tmux', 'dash']);
const command = resolve(dirname(fileURLToPath(import.meta.url)), '../../bin/lockssh.cjs');
const PROJECT = '/var/lib/locks-test-install/project';

let two: TwoAccounts;
let server: TestServer;
let pane: ConsolePane;
let decider: LoxAccount;
/** In the console's home, as the commands that lox shows put them there. */
const keyFile = (profile: string): string => join(two.console.home, '.lox', `lockssh-${profile}.json`);
let hubUrl: string;

function giveTo(path: string, { uid, gid }: { readonly uid: number; readonly gid: number }): void {
  chownSync(path, uid, gid);
}

function writeProject(): void {
  rmSync(PROJECT, { recursive: true, force: true });
  mkdirSync(join(PROJECT, '.lockssh'), { recursive: true, mode: 0o755 });
  const account = server.account('dash').name;
  const config = (name: string, more: string): string =>
    `[profiles.${name}]\nhost = "${server.host}"\nport = ${server.port}\nuser = "${account}"\nkey = "~/.ssh/id_ed25519"\nallow = ["uptime", "echo **"]\n${more}`;
  writeFileSync(
    join(PROJECT, '.lockssh/config.toml'),
    `${config('web', '')}\n${config('live', 'production = true\n')}`,
  );
  for (const path of [PROJECT, join(PROJECT, '.lockssh'), join(PROJECT, '.lockssh/config.toml')])
    giveTo(path, two.agent);
}

function writeKey(): void {
  const folder = join(two.console.home, '.ssh');
  mkdirSync(folder, { mode: 0o700, recursive: true });
  writeFileSync(join(folder, 'id_ed25519'), server.clientKey(), { mode: 0o600 });
  writeFileSync(join(folder, 'known_hosts'), server.knownHosts, { mode: 0o600 });
  for (const path of [folder, join(folder, 'id_ed25519'), join(folder, 'known_hosts')])
    giveTo(path, two.console);
}

beforeAll(async () => {
  if (!isReal) return;
  server = await openTestServer({ accounts: ['dash'] });
  two = await openTwoAccounts('lockssh', command);
  writeProject();
  writeKey();
  decider = openLoxAccount(two, PROJECT, ['web', 'live']);
  const [web, live] = [await decider.startOf('web'), await decider.startOf('live')];
  hubUrl = /--hub (\S+)/.exec(web.start)?.[1] as string;
  const start = web.start.replace('lockssh-web.json', keyFile('web'));
  pane = openConsolePane(two.console, PROJECT, `(${live.copy}); (${web.copy}); ${start}`);
}, 30 * 60_000);

afterAll(async () => {
  if (!isReal) return;
  pane?.kill();
  decider?.pane.kill();
  two?.close();
  await server?.close();
  rmSync(PROJECT, { recursive: true, force: true });
}, 120_000);

/** The only file below a folder whose name ends so. */
function findBelow(folder: string, ending: string): string {
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith(ending),
  );
  if (found.length !== 1) throw new Error(`${folder}: ${found.join(', ')}`);
  return join(folder, found[0] as string);
}

/** The prompt is up and its guard is over: the time is the product's own. */
async function answer(at: ConsolePane, prompt: string, typed: string): Promise<void> {
  await at.shows(prompt);
  await new Promise((done) => setTimeout(done, 1100));
  at.keys(typed, 'Enter');
}

function agentRuns(...argv: readonly string[]): { readonly exit: number | null; readonly json: any } {
  // eslint-disable-line @typescript-eslint/no-explicit-any
  const { exit, stdout } = two.runAs(two.agent, ['lockssh', ...argv], { cwd: PROJECT });
  return { exit, json: JSON.parse(stdout) };
}

function attacked(): AttackedConsole {
  const state = join(two.console.home, '.local/state/lockssh');
  const socket = readdirSync('/run/lockssh').find((name) => name.endsWith('-web.sock')) ?? 'none';
  return {
    pid: pidOfConsole(),
    tty: pane.tty(),
    tmux: pane.socket,
    home: two.console.home,
    account: two.console.name,
    agent: two.agent.name,
    group: CLIENTS,
    key: join(two.console.home, '.ssh/id_ed25519'),
    policy: findBelow(join(state, 'policy'), '-web.json'),
    auditLog: findBelow(join(state, 'audit'), '-web/audit-000001.jsonl'),
    socket: join('/run/lockssh', socket),
    project: PROJECT,
  };
}

/** The pane's shell starts the starter, which becomes node. */
function pidOfConsole(): number {
  const children = readFileSync(`/proc/${pane.pid()}/task/${pane.pid()}/children`, 'utf8').trim().split(' ');
  return Number(children[0]);
}

function sh(who: TestPerson, script: string): Ran {
  return two.runAs(who, ['sh', '-c', script]);
}

const ROOT: TestPerson = { name: 'root', uid: 0, gid: 0, home: '/root' };

/** Everything that install writes: path, owner, mode, and the bytes of what root decides. */
function snapshot(): unknown {
  const fixed = [
    '/usr/local/bin/lockssh',
    '/etc/lockssh/system.toml',
    '/etc/lockssh/created',
    '/etc/tmpfiles.d/lockssh.conf',
  ];
  const folders = ['/usr/local/lib/lockssh', '/run/lockssh', two.console.home];
  return {
    files: fixed.map((path) => readFileSync(path, 'utf8')),
    modes: [...fixed, ...folders].map((path) => {
      const { uid, gid, mode } = statSync(path);
      return [path, uid, gid, mode.toString(8)];
    }),
    group: readFileSync('/etc/group', 'utf8'),
  };
}

describe.runIf(isReal)('two accounts', () => {
  test('the console starts in its own account and says its desktop level', async () => {
    await pane.shows(/desktop level [123]: /);
    await answer(pane, 'Approve this policy? [y/N]', 'y');
    await pane.shows('ready: the agent may ask now');
  });

  test('the agent’s request waits at the hub of another account, and runs once, by the decision signed there', async () => {
    const asked = agentRuns('run', '--json', '--profile', 'web', 'echo', 'mail', 'a@example.org');
    expect(asked).toMatchObject({ exit: 1, json: { status: 'pending' } });
    const ticket = asked.json.ticket as string;
    expect(JSON.parse(decider.lox('tickets', '--json').stdout).tickets).toMatchObject([
      { id: ticket, lock: 'lockssh', profile: 'web', state: 'pending' },
    ]);
    await answer(decider.pane, 'Approve? [y/N]', 'y');
    await expect
      .poll(
        () =>
          agentRuns('run', '--json', '--profile', 'web', '--ticket', ticket, 'echo', 'mail', 'a@example.org')
            .json.status,
      )
      .toBe('done');
    const twice = ['run', '--json', '--profile', 'web', '--ticket', ticket, 'echo', 'mail', 'a@example.org'];
    expect(agentRuns(...twice).json.error.code).toBe('E_UNKNOWN_TICKET');
    const again = agentRuns('run', '--json', '--profile', 'web', 'echo', 'mail', 'a@example.org');
    expect(again.exit).toBe(0);
    expect(again.json.stdout).toMatch(/^mail ⟦email:[0-9A-Z]{12}⟧\n$/);
    const { deciders } = JSON.parse(readFileSync(keyFile('web'), 'utf8')) as {
      readonly deciders: readonly { readonly key: string; readonly role: string }[];
    };
    const human = deciders.find(({ role }) => role === 'human')?.key;
    const records = two
      .runAs(two.console, ['lockssh', 'audit', 'show', '--json', '--profile', 'web'], { cwd: PROJECT })
      .stdout.trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
    const of = (event: string): readonly object[] => records.filter((record) => record['event'] === event);
    expect(of('ticket.approved')).toMatchObject([{ ticket, rule: 'human', decider: human }]);
    expect(of('effect.start').filter((record) => 'ticket' in record)).toMatchObject([{ ticket }]);
    const { tickets, unverified } = JSON.parse(decider.lox('history', '--json').stdout) as {
      readonly tickets: readonly object[];
      readonly unverified: number;
    };
    expect(tickets).toMatchObject([{ id: ticket, state: 'used', rule: 'human' }]);
    expect(unverified).toBe(0);
  });

  describe('the hub of another account', () =>
    testForeignHub(() => ({ two, project: PROJECT, hubUrl, keyFile: keyFile('live') })));

  test('no attempt of the agent reaches key, memory, records, terminal, program or socket', () => {
    const target = attacked();
    const attempts = attemptsOn(target);
    expect(attempts.length).toBeGreaterThanOrEqual(40);
    const marker = readFileSync(target.key, 'utf8').split('\n')[1] as string;
    const failures = attempts.flatMap(({ name, script, stoppedBy }) => {
      const { exit, stdout, stderr } = sh(two.agent, script);
      const said = `${stdout}${stderr}`;
      const stopped = exit !== 0 && stoppedBy.test(said) && !said.includes(marker);
      return stopped ? [] : [`${name}: exit ${String(exit)}: ${said.slice(0, 300)}`];
    });
    expect(failures).toEqual([]);
  });

  test('the attempts are real: root can do what they try', () => {
    const controls = attemptsOn(attacked()).filter(({ control }) => control === true);
    expect(controls.length).toBeGreaterThanOrEqual(15);
    const failures = controls.flatMap(({ name, script }) => {
      const { exit, stdout, stderr } = sh(ROOT, script);
      return exit === 0 ? [] : [`${name}: exit ${String(exit)}: ${`${stdout}${stderr}`.slice(0, 300)}`];
    });
    rmSync('/run/lockssh/fake.sock', { force: true });
    expect(failures).toEqual([]);
  });

  test('the console is alive after all of them, and its log is whole', async () => {
    expect(agentRuns('status', '--json').json.profiles).toMatchObject([
      { profile: 'web', console: 'running' },
      { profile: 'live', console: 'none' },
    ]);
    const verified = two.runAs(two.console, ['lockssh', 'audit', 'verify', '--json', '--profile', 'web'], {
      cwd: PROJECT,
    });
    expect(JSON.parse(verified.stdout)).toMatchObject({ verdict: 'intact' });
  });

  test('an account outside the clients’ group gets not a byte', () => {
    const nobody = { name: 'nobody', uid: 65534, gid: 65534, home: '/' };
    const status = two.runAs(nobody, ['lockssh', 'status', '--json', '--profile', 'web'], { cwd: PROJECT });
    expect(JSON.parse(status.stdout).profiles).toEqual([{ profile: 'web', console: 'none' }]);
    const raw = two.runAs(nobody, [
      'python3',
      '-c',
      `import socket; socket.socket(socket.AF_UNIX).connect("${attacked().socket}")`,
    ]);
    expect(raw.stderr).toContain('PermissionError');
  });

  describe('doctor', () => {
    const doctor = (who: TestPerson, ...flags: readonly string[]) => {
      const { exit, stdout } = two.runAs(who, ['lockssh', 'doctor', '--json', ...flags], { cwd: PROJECT });
      const report = JSON.parse(stdout) as {
        readonly ok: boolean;
        readonly checks: readonly {
          readonly id: string;
          readonly state: string;
          readonly fix?: string;
          readonly fixed?: string;
        }[];
      };
      const find = (id: string) => report.checks.find((check) => check.id === id);
      return { exit, ok: report.ok, find, failed: report.checks.filter(({ state }) => state === 'fail') };
    };

    test('finds nothing that fails, as the agent, as the console and as root', () => {
      for (const who of [two.agent, two.console, ROOT]) {
        const report = doctor(who);
        expect({ who: who.name, failed: report.failed, exit: report.exit, ok: report.ok }).toEqual({
          who: who.name,
          failed: [],
          exit: 0,
          ok: true,
        });
        expect(report.find('console:web')).toMatchObject({ state: 'ok' });
        expect(report.find('console:live')).toMatchObject({ state: 'warn' });
      }
      expect(doctor(two.console).find('desktop_level')).toMatchObject({ state: 'warn' });
      expect(doctor(two.console).find('production:production_level')).toMatchObject({ state: 'warn' });
      expect(doctor(two.agent).find('desktop_level')).toBeUndefined();
    });

    test('--fix --yes mends the socket folder as root, and nothing as the agent', () => {
      chmodSync('/run/lockssh', 0o2777);
      expect(doctor(two.agent, '--fix', '--yes')).toMatchObject({ exit: 1, ok: false });
      expect(doctor(two.agent).find('socket_folder')).toMatchObject({ state: 'fail' });
      expect(doctor(ROOT, '--fix', '--yes').find('socket_folder')).toMatchObject({
        state: 'ok',
        fixed: expect.stringContaining('install -d') as string,
      });
      expect(statSync('/run/lockssh').mode & 0o7777).toBe(0o2710);
    });

    test('a project that the console’s account cannot read: the exact command, and it works', () => {
      chmodSync(join(PROJECT, '.lockssh'), 0o700);
      const { fix } = doctor(ROOT).find('project_readable') ?? {};
      expect(fix).toBe(`setfacl -m u:${two.console.name}:rx ${PROJECT}/.lockssh`);
      expect(doctor(two.agent).find('project_readable')).toMatchObject({ state: 'warn', fix });
      chmodSync(join(PROJECT, '.lockssh'), 0o755);
      expect(doctor(ROOT).find('project_readable')).toMatchObject({ state: 'ok' });
    });

    test('--fix without --yes and without a terminal asks nobody and does nothing', () => {
      const { exit, stdout } = two.runAs(two.agent, ['lockssh', 'doctor', '--fix', '--json'], {
        cwd: PROJECT,
      });
      expect(exit).toBe(3);
      expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'E_USAGE' } });
    });
  });

  test('init wires an agent once; a second run changes nothing; an unknown agent is a usage error', () => {
    const init = (...agents: readonly string[]) =>
      two.runAs(two.agent, ['lockssh', 'init', ...agents, '--json'], { cwd: PROJECT });
    const statuses = (ran: Ran): readonly string[] =>
      (JSON.parse(ran.stdout) as { readonly files: readonly { readonly status: string }[] }).files.map(
        ({ status }) => status,
      );
    const first = init('claude', 'codex');
    expect(first.exit).toBe(0);
    expect(new Set(statuses(first))).toEqual(new Set(['created']));
    expect(new Set(statuses(init('claude', 'codex')))).toEqual(new Set(['unchanged']));
    expect(new Set(statuses(init()))).toEqual(new Set(['unchanged']));
    expect(init('emacs').exit).toBe(3);
    writeFileSync(join(PROJECT, '.mcp.json'), '{ broken');
    const refused = init('claude');
    expect(refused.exit).toBe(1);
    expect(statuses(refused)).toContain('refused');
    expect(readFileSync(join(PROJECT, '.mcp.json'), 'utf8')).toBe('{ broken');
  });

  describe('a console that must not start', () => {
    const start = (who: TestPerson, argv: readonly string[], wishes: RunWishes = {}): string => {
      const { exit, stdout, stderr } = two.runAs(who, argv, { cwd: PROJECT, ...wishes });
      return exit === 0 ? `started: ${stdout}` : `${stdout}${stderr}`;
    };
    const consoleOf = (profile: string): readonly string[] => ['lockssh', 'console', '--profile', profile];

    test('in root’s account: root_console', () => {
      expect(start(ROOT, consoleOf('web'))).toContain('(root_console)');
    });

    test('in the agent’s account: wrong_account', () => {
      expect(start(two.agent, consoleOf('web'))).toContain('(wrong_account)');
    });

    const asConsole = (): string => asAccount(two.console).join(' ');
    const live = '/usr/local/bin/lockssh console --profile web';

    test('reached by su or sudo from another login: foreign_login', () => {
      const { uid } = two.agent;
      const said = start(
        ROOT,
        ['sh', '-c', `echo ${uid} > /proc/self/loginuid && exec ${asConsole()} ${live}`],
        {
          env: cleanEnv(two.console),
        },
      );
      expect(said).toContain('(foreign_login)');
    });

    test('on a terminal of the agent: foreign_terminal', () => {
      const inside = `chown ${two.agent.name} "$(tty)" && exec ${asConsole()} ${live}`;
      expect(start(ROOT, ['script', '-qec', inside, '/dev/null'], { env: cleanEnv(two.console) })).toContain(
        '(foreign_terminal)',
      );
    });

    test('with an environment that the starter did not make: unclean_environment', () => {
      const lib = '/usr/local/lib/lockssh';
      const bare = [`${lib}/bin/node`, `${lib}/node_modules/@lockkit/lockssh/bin/lockssh.cjs`];
      const env = { ...cleanEnv(two.console), NODE_OPTIONS: '--no-warnings' };
      const said = start(two.console, [...bare, 'console', '--profile', 'web'], { env });
      expect(said).toContain('(unclean_environment)');
      expect(said).toContain('NODE_OPTIONS');
    });

    test('the starter takes what would change Node.js out of the environment', () => {
      writeFileSync(join(two.agent.home, 'preload.cjs'), 'process.stdout.write("preloaded ")');
      const env = { ...cleanEnv(two.agent), NODE_OPTIONS: `--require=${two.agent.home}/preload.cjs` };
      expect(two.runAs(two.agent, ['lockssh', 'version'], { env }).stdout).toMatch(/^lockssh [0-9.]+\n$/);
    });

    test('when others may look into its home: home_open', () => {
      chmodSync(two.console.home, 0o755);
      expect(start(two.console, consoleOf('web'))).toContain('(home_open)');
      chmodSync(two.console.home, 0o700);
    });

    test('when the socket folder is not as it must be: socket_folder', () => {
      chmodSync('/run/lockssh', 0o2770);
      expect(start(two.console, consoleOf('web'))).toContain('(socket_folder)');
      chmodSync('/run/lockssh', 0o2710);
    });

    test('when a file of the program can be written by others: program_writable', () => {
      const file = '/usr/local/lib/lockssh/node_modules/lockkit/package.json';
      chmodSync(file, 0o666);
      expect(start(two.console, consoleOf('web'))).toContain('(program_writable)');
      // The human decides in lox, which is a copy of the same files.
      expect(decider.lox('tickets').stderr).toContain('(program_writable)');
      chmodSync(file, 0o644);
    });

    test('when its own account is in the clients’ group: service_is_client', () => {
      execFileSync('gpasswd', ['-a', two.console.name, CLIENTS], { stdio: 'pipe' });
      expect(start(two.console, consoleOf('web'))).toContain('(service_is_client)');
      execFileSync('gpasswd', ['-d', two.console.name, CLIENTS], { stdio: 'pipe' });
    });

    test('production below its desktop level: production_level, before the policy is shown', () => {
      const hub = ['--hub', hubUrl, '--hub-key-file', keyFile('live')];
      const command = [...consoleOf('live'), ...hub].join(' ');
      const said = start(two.console, ['script', '-qec', command, '/dev/null']);
      expect(said).toContain('(production_level)');
      expect(said).not.toContain('Approve this policy?');
    });
  });

  test('install a second time changes nothing', () => {
    const before = snapshot();
    const again = two.install('--client', two.agent.name, '--yes', '--json');
    expect(JSON.parse(again.stdout)).toMatchObject({ status: 'installed' });
    expect(snapshot()).toEqual(before);
  });

  test('uninstall refuses while a console runs, then takes away what install made and keeps the account', async () => {
    expect(JSON.parse(two.install('--uninstall', '--yes', '--json').stdout)).toMatchObject({
      status: 'refused',
      refusals: [{ code: 'console_running' }],
    });
    pane.kill();
    decider.pane.kill();
    await expect.poll(() => two.install('--uninstall', '--yes', '--json').exit, { timeout: 30_000 }).toBe(0);
    const gone = [
      '/usr/local/bin/lockssh',
      '/usr/local/lib/lockssh',
      '/etc/lockssh',
      '/etc/tmpfiles.d/lockssh.conf',
      '/run/lockssh',
    ];
    expect(gone.filter((path) => existsSync(path))).toEqual([]);
    expect(readFileSync('/etc/group', 'utf8')).not.toContain(`${CLIENTS}:`);
    expect(existsSync(join(two.console.home, '.local/state/lockssh/audit'))).toBe(true);
  });
});
