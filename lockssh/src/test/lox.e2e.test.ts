// lox from `add` to `history` ("Launcher verbs", "Auto rules", "The console"): the real lox in a real terminal, two real
// consoles as its children, a real server, the agent's command as a process.
import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DEMO_SOCKET_DIR } from 'lockkit/agent';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleScript } from 'lockkit/bundle-script';
import { openLoxTerminal, type LoxTerminal } from './lox-terminal.js';
import { commandLines } from './command-lines.js';
import { requireReal } from './real-parts.js';
import { openTestServer, type TestServer } from './sshd.js';
import { profileToml, runCommand, type CliResult } from './test-console.js';

const isReal = requireReal(['root', 'sshd', 'useradd', 'bash', 'tmux']);
const here = dirname(fileURLToPath(import.meta.url));
const command = resolve(here, '../../bin/lockssh.cjs');
const lox = resolve(here, '../../../frontends/tui/bin/lox.mjs');

describe.skipIf(!isReal)('lox', () => {
  let server: TestServer;
  let folder: string;
  let project: string;
  let env: Record<string, string>;
  let { tmux, screen, shows, type, approveShown } = {} as LoxTerminal;
  const gone = (text: string) => (): boolean => !screen().includes(text);

  beforeAll(async () => {
    server = await openTestServer({ accounts: [{ name: 'lk-lox', shell: 'bash' }] });
    folder = mkdtempSync(join(tmpdir(), 'lockssh-lox-'));
    project = join(folder, 'project');
    const folders = { XDG_STATE_HOME: 'state', XDG_RUNTIME_DIR: 'run', XDG_CONFIG_HOME: 'config' };
    env = { PATH: process.env['PATH'] ?? '', HOME: folder, TERM: 'screen', LANG: 'C.UTF-8' };
    for (const [name, part] of Object.entries(folders)) {
      env[name] = join(folder, part);
      mkdirSync(env[name], { mode: 0o700 });
    }
    mkdirSync(join(env['XDG_STATE_HOME'] as string, 'lockssh'), { mode: 0o700 });
    mkdirSync(join(project, '.lockssh'), { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, 'known_hosts'), server.knownHosts, { mode: 0o600 });
    const script = await bundleScript(join(here, 'lox-console.ts'));
    mkdirSync(join(folder, 'bin'));
    const wrapper = `#!/bin/sh\nexec '${process.execPath}' '${script}' '${command}' "$@"\n`;
    writeFileSync(join(folder, 'bin/lockssh'), wrapper);
    chmodSync(join(folder, 'bin/lockssh'), 0o755);
    ({ tmux, screen, shows, type, approveShown } = openLoxTerminal(join(folder, 'tmux'), project, env));
  });

  afterAll(async () => {
    spawnSync('tmux', ['-S', join(folder, 'tmux'), 'kill-server']);
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const runLox = (...args: readonly string[]): SpawnSyncReturns<string> =>
    spawnSync(process.execPath, [lox, ...args], { cwd: project, env, encoding: 'utf8' });

  const agent = (...args: readonly string[]): Promise<CliResult> =>
    runCommand(args, project, { ...env, [DEMO_SOCKET_DIR]: env['XDG_RUNTIME_DIR'] as string });

  const keys = (): object => ({
    host: server.host,
    port: server.port,
    user: 'lk-lox',
    key: server.clientKeyPath,
    known_hosts: join(folder, 'known_hosts'),
  });

  test('add: the lock adds its profile, lox writes its own list, doctor says what is left', () => {
    const { host, user, key, known_hosts: known } = keys() as Record<string, string>;
    const place = [
      '--host',
      host,
      '--port',
      String(server.port),
      '--user',
      user,
      '--key',
      key,
      '--known-hosts',
      known,
    ];
    const flags = [...place, '--allow', 'true', '--exec'] as string[];
    const added = runLox('add', join(folder, 'bin/lockssh'), '--profile', 'web', ...flags);
    expect(added.stdout).toContain('lockssh web: profile created, added to lox’s list');
    // Nothing separates accounts on this machine: doctor says so, and how to mend it.
    expect([added.status, added.stdout]).toEqual([
      1,
      expect.stringContaining('doctor: mend what is listed above'),
    ]);
    const again = runLox('add', join(folder, 'bin/lockssh'), '--profile', 'web', ...flags);
    expect(again.stdout).toContain('profile exists, replaced');
    const list = JSON.parse(readFileSync(join(folder, 'config/lox/locks.json'), 'utf8')) as {
      locks: object[];
    };
    expect(list.locks).toEqual([
      {
        lock: 'lockssh',
        command: [join(folder, 'bin/lockssh')],
        profile: 'web',
        instance: '',
        projectDir: project,
        allowUnmask: false,
        showResults: false,
      },
    ]);
  });

  test.each([
    ['a program that is no lock', ['add', '/bin/true'], 'version'],
    ['a lock of another name', ['add', '/bin/echo'], 'version'],
    ['a flag that the lock does not know', ['add', 'BIN', '--profile', 'x', '--nonsense'], 'profile add'],
    ['an id that is none', ['approve', 'web'], 't_'],
    ['a lox that does not run', ['tickets'], 'lox run'],
    ['an unknown flag', ['tickets', '--all'], 'flag'],
  ])('refuses %s', (_name, args, sentence) => {
    const ran = runLox(...args.map((word) => (word === 'BIN' ? join(folder, 'bin/lockssh') : word)));
    expect([ran.status, ran.stderr]).toEqual([3, expect.stringContaining(sentence)]);
  });

  test('run: two consoles in one window, their policies reviewed there', async () => {
    runLox('add', join(folder, 'bin/lockssh'), '--profile', 'db', '--host', 'x', '--user', 'x');
    const auto = (exec: string): string => `[profiles.PROFILE.auto]\nconnect = "auto"\nexec = "${exec}"\n`;
    const profile = (name: string, exec: string): string =>
      `${profileToml({ ...keys(), allow: ['true'], exec: true }, name)}${auto(exec).replace('PROFILE', name)}`;
    writeFileSync(
      join(project, '.lockssh/config.toml'),
      `${profile('web', 'ask')}\n${profile('db', 'auto')}`,
      { mode: 0o600 },
    );
    tmux(
      'new-session',
      '-d',
      '-x',
      '120',
      '-y',
      '50',
      `'${process.execPath}' '${lox}' run; echo "over $?"; stty -a; exec cat`,
    );
    await shows(/╭─ (WEB|DB) · policy · first start/);
    const first = screen().includes('╭─ WEB') ? ['WEB', 'DB'] : ['DB', 'WEB'];
    for (const name of first) await approveShown(`${name} · policy · first start`);
    await shows(/web · ready[^]*db · ready|db · ready[^]*web · ready/);
  });

  test('a ticket is decided in the window, and runs once', async () => {
    const asked = await agent('run', '--profile', 'web', '--json', '--', 'id', '-un');
    expect(asked.json.status).toBe('pending');
    await approveShown('WEB · open the SSH session and a command outside the rules');
    const again = (): Promise<CliResult> =>
      agent('run', '--profile', 'web', '--json', '--ticket', asked.json.ticket, '--', 'id', '-un');
    const done = await again();
    expect(done.json).toMatchObject({ status: 'done', stdout: 'lk-lox\n' });
    expect((await again()).json.error.code).toBe('E_UNKNOWN_TICKET');
  });

  test('a ticket that a rule of the approved policy decides never waits for the human', async () => {
    const asked = await agent('run', '--profile', 'db', '--json', '--', 'id', '-un');
    const ticket = asked.json.status === 'pending' ? ['--ticket', asked.json.ticket as string] : [];
    const again = (): Promise<CliResult> =>
      agent('run', '--profile', 'db', '--json', ...ticket, '--', 'id', '-un');
    const status = async (): Promise<string> =>
      (ticket.length === 0 ? asked : await again()).json.status as string;
    await expect.poll(status, { timeout: 20_000, interval: 200 }).toBe('done');
    await shows('by the rule auto.exec');
  });

  test('tickets, approve and deny from another terminal; history of them all', async () => {
    const asked = await agent('run', '--profile', 'web', '--json', '--', 'id', '-gn');
    const id = asked.json.ticket as string;
    const waiting = (): object[] => JSON.parse(runLox('tickets', '--json').stdout).tickets as object[];
    await expect.poll(() => waiting().length, { timeout: 10_000 }).toBe(1);
    expect(waiting()).toMatchObject([
      { id, lock: 'lockssh', profile: 'web', kind: 'exec', risk: 'write', state: 'pending' },
    ]);
    const denied = runLox('deny', id, 'not', 'today');
    expect([denied.status, denied.stdout]).toEqual([0, `${id} denied\n`]);
    await shows('this ticket was denied elsewhere: press Enter');
    await type('', gone('press Enter'));
    const refused = await agent('run', '--profile', 'web', '--json', '--ticket', id, '--', 'id', '-gn');
    expect(refused.json.error.code).toBe('E_DENIED');

    const next = await agent('run', '--profile', 'web', '--json', '--', 'id', '-u');
    await shows('id -u');
    tmux(
      'split-window',
      '-l',
      '15',
      `'${process.execPath}' '${lox}' approve ${next.json.ticket}; echo "approve $?"; exec cat`,
    );
    await shows('Approve? [y/N]');
    await type('y', () => screen().includes('approve 0'));
    tmux('kill-pane');
    const done = await agent(
      'run',
      '--profile',
      'web',
      '--json',
      '--ticket',
      next.json.ticket,
      '--',
      'id',
      '-u',
    );
    expect(done.json.status).toBe('done');
    await shows('press Enter');
    await type('', gone('press Enter'));
    const { tickets } = JSON.parse(runLox('history', '--json').stdout) as {
      tickets: { state: string; rule: string }[];
    };
    expect(tickets.map(({ state, rule }) => [state, rule])).toEqual([
      ['used', 'human'],
      ['denied', 'human'],
      ['used', 'auto.exec'],
      ['used', 'human'],
    ]);
  });

  test('a console that is killed takes its questions with it, and starts again', async () => {
    const asked = await agent('run', '--profile', 'web', '--json', '--', 'id', '-G');
    expect(asked.json.status).toBe('pending');
    await shows('id -G');
    const ofWeb = commandLines().filter(
      ({ line }) => line.includes(folder) && line.includes(' console ') && line.includes('--profile web'),
    );
    expect(ofWeb.length).toBeGreaterThan(0);
    for (const { pid } of ofWeb) process.kill(pid, 'SIGKILL');
    await shows('its console ended');
    await shows('SIGKILL');
    await type('', gone('press Enter'));
    await type(':start web', () => /web · (starting|ready)/.test(screen()));
    await shows(/web · ready/);
    const stale = await agent(
      'run',
      '--profile',
      'web',
      '--json',
      '--ticket',
      asked.json.ticket,
      '--',
      'id',
      '-G',
    );
    expect(stale.json.error.code).toBe('E_UNKNOWN_TICKET');
  });

  test('only one lox of an account runs; :quit ends the consoles and gives the terminal back', async () => {
    const second = spawnSync('script', ['-qec', `'${process.execPath}' '${lox}' run`, '/dev/null'], {
      cwd: project,
      env,
      encoding: 'utf8',
      input: '',
    });
    expect(second.stdout).toContain('in use by a hub that already runs');
    await type(':quit', () => screen().includes('over 0'));
    await shows(/ icanon [^]* echo /);
    const programs = commandLines().filter(
      ({ line }) => line.includes(`${folder}/`) && line.includes(' console '),
    );
    expect(programs).toEqual([]);
  });

  test('history is read from the record where no lox runs', () => {
    const { tickets, unverified } = JSON.parse(runLox('history', '--json', '--limit', '2').stdout) as {
      tickets: object[];
      unverified: number;
    };
    expect([tickets.length, unverified]).toEqual([2, 0]);
    expect(runLox('history').stdout).toMatch(/^t_[0-9A-Z]{16} {2}\w+/);
  });
});
