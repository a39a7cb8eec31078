// What goes wrong between an agent, a console and a server: each has its code or its sentence, and nothing is lost
// or half done. Real server, real sockets, real processes.
import { spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { verifyAudit } from 'lockkit/audit';
import { socketPath } from 'lockkit/rpc';
import { requireReal } from './real-parts.js';
import { openTestServer, type TestServer } from './sshd.js';
import {
  openTestConsole,
  profileToml,
  runCommand,
  type ConsoleWishes,
  type TestConsole,
} from './test-console.js';

const isReal = requireReal(['root', 'sshd', 'useradd', 'bash']);
const command = resolve(dirname(fileURLToPath(import.meta.url)), '../../bin/lockssh.cjs');

describe.skipIf(!isReal)('bad input', () => {
  let server: TestServer;
  let folder: string;
  let lock: TestConsole | undefined;

  beforeAll(async () => {
    server = await openTestServer({ accounts: [{ name: 'lk-bad', shell: 'bash' }] });
    folder = mkdtempSync(join(tmpdir(), 'lockssh-e2e-keys-'));
    writeFileSync(join(folder, 'known_hosts'), server.knownHosts, { mode: 0o600 });
  });
  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(async () => {
    await lock?.stop();
    lock = undefined;
  });

  const values = (changes: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> => ({
    host: server.host,
    port: server.port,
    user: 'lk-bad',
    key: server.clientKeyPath,
    known_hosts: join(folder, 'known_hosts'),
    allow: ['true'],
    ...changes,
  });
  const start = async (
    changes: Readonly<Record<string, unknown>> = {},
    more: Partial<ConsoleWishes> = {},
  ): Promise<TestConsole> => {
    lock = await openTestConsole({ config: profileToml(values(changes)), ...more });
    return lock;
  };
  /** Why a console does not start. */
  const failure = (
    changes: Readonly<Record<string, unknown>>,
    more: Partial<ConsoleWishes> = {},
  ): Promise<unknown> =>
    start(changes, more).then(
      () => 'started',
      (error: unknown) => error,
    );
  const mistake = expect.objectContaining({ name: 'UserMistake' });

  test('console: does not start on a policy that does not parse, holds an unknown key, or was not approved', async () => {
    await expect(openTestConsole({ config: '[profiles.web\nhost=' })).rejects.toEqual(mistake);
    expect(await failure({ exce: true })).toEqual(mistake);
    expect(await failure({}, { decide: () => ({ kind: 'no' }) })).toEqual(mistake);
    expect(await failure({}, { decide: () => ({ kind: 'no_answer' }) })).toEqual(mistake);
    await expect(
      openTestConsole({ config: profileToml(values()), pii: "[[mask]]\npattern = '(?=x)'\n" }),
    ).rejects.toEqual(mistake);
  });

  test('console: does not start on an unreachable host, a changed host key, a missing key file, a key open to others', async () => {
    expect(await failure({ port: 1 })).toEqual(mistake);
    const other = await openTestServer({ accounts: [] });
    writeFileSync(
      join(folder, 'changed'),
      other.knownHosts.replaceAll(String(other.port), String(server.port)),
      { mode: 0o600 },
    );
    await other.close();
    expect(await failure({ known_hosts: join(folder, 'changed') })).toEqual(mistake);
    expect(await failure({ key: join(folder, 'nowhere') })).toEqual(mistake);
    writeFileSync(join(folder, 'open_key'), readFileSync(server.clientKeyPath), { mode: 0o644 });
    expect(await failure({ key: join(folder, 'open_key') })).toEqual(mistake);
  });

  test('console: a root login is refused on production and asks elsewhere', async () => {
    expect(await failure({ user: 'root', production: true })).toEqual(mistake);
    const { human } = await start({ user: 'root' });
    expect(
      human.screens.some(({ question }) => question?.kind === 'typed' && question.expected === 'continue'),
    ).toBe(true);
  });

  test('console: a second one of the same profile does not start', async () => {
    const first = await start();
    const { runConsole } = await import('lockkit/console');
    const { locksshLock } = await import('../console/lockssh-lock.js');
    const { openTestHuman } = await import('./test-console.js');
    const folders = {
      socketDir: first.socketDir,
      stateDir: dirname(dirname(first.auditDir)),
      configHome: first.env['HOME'] as string,
    };
    const second = runConsole(
      locksshLock,
      {
        profile: 'web',
        projectDir: first.projectRoot,
        allowUnmask: false,
        showResults: false,
        allowedUids: [],
        demo: folders,
      },
      {
        human: openTestHuman(),
        uid: 0,
        env: {},
        nowMs: Date.now,
        after: () => () => undefined,
        signal: new AbortController().signal,
        desktopLevel: 1,
      },
    );
    await expect(second).rejects.toEqual(mistake);
    // The first one still answers.
    expect((await first.cli('status', '--json')).json.profiles[0]).toMatchObject({
      profile: 'web',
      console: 'running',
    });
  });

  test('command: no console is exit 2, several profiles exit 3, an unknown flag exit 3', async () => {
    const { projectRoot, env, writeConfig, cli } = await start();
    writeConfig(`${profileToml(values())}${profileToml(values(), 'other')}`);
    expect(await cli('run', '--json', '--profile', 'other', 'true')).toMatchObject({
      exit: 2,
      json: { error: { code: 'E_NO_CONSOLE', retry: 'ask_user' } },
    });
    expect(await cli('run', '--json', 'true')).toMatchObject({
      exit: 3,
      json: { error: { code: 'E_USAGE' } },
    });
    expect(await cli('run', '--json', '--intnet', 'x', 'true')).toMatchObject({ exit: 3 });
    expect(await runCommand(['statsu'], projectRoot, env)).toMatchObject({ exit: 3 });
  });

  test('command: the socket of another account is nobody’s console, and gets no byte', async () => {
    const { socketDir, projectRoot, cli, writeConfig } = await start();
    writeConfig(`${profileToml(values())}${profileToml(values(), 'theirs')}`);
    const path = socketPath({ socketDir, projectRoot, profile: 'theirs' });
    // A listener of account 65534 in a folder that it may enter.
    chmodSync(dirname(socketDir), 0o711);
    chownSync(socketDir, 65534, 0);
    const script = `const s=require('net').createServer(c=>c.on('data',()=>process.stdout.write('GOT'))).listen(process.argv[1],()=>process.stdout.write('READY'))`;
    const stranger = spawn(
      'setpriv',
      ['--reuid=65534', '--clear-groups', process.execPath, '-e', script, path],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    let heard = '';
    stranger.stdout.on('data', (chunk: Buffer) => (heard += chunk.toString()));
    await new Promise((ready) => stranger.stdout.once('data', ready));
    expect(await cli('run', '--json', '--profile', 'theirs', 'true')).toMatchObject({
      exit: 2,
      json: { error: { code: 'E_NO_CONSOLE' } },
    });
    stranger.kill();
    expect(heard).toBe('READY');
    chownSync(socketDir, 0, 0);
  });

  test('socket: a 2 MiB message closes the connection, broken JSON is answered, an unknown parameter is refused', async () => {
    const { socketDir, projectRoot } = await start();
    const path = socketPath({ socketDir, projectRoot, profile: 'web' });
    const talk = (text: string): Promise<string> =>
      new Promise((done) => {
        const socket = createConnection(path);
        let heard = '';
        socket.on('data', (chunk: Buffer) => {
          heard += chunk.toString();
          if (heard.split('\n').length > text.split('\n').length - 1) socket.end();
        });
        socket.on('error', () => undefined);
        socket.on('close', () => done(heard));
        socket.write(text);
      });
    expect(await talk(`{"x":"${'a'.repeat(2 * 1024 * 1024)}"}\n`)).toBe('');
    const hello = '{"jsonrpc":"2.0","id":1,"method":"hello","params":{"protocol_major":1,"client":"t"}}\n';
    const lines = (
      await talk(
        `nonsense\n${hello}{"jsonrpc":"2.0","id":2,"method":"run","params":{"argv":["true"],"uid":0}}\n{"jsonrpc":"2.0","id":3,"method":"constructor","params":{}}\n`,
      )
    )
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines[0]).toMatchObject({ id: null, error: { code: -32700 } });
    expect(lines[1]).toMatchObject({ id: 1, result: { protocol_major: 1, lock: 'lockssh', profile: 'web' } });
    expect(lines[2]).toMatchObject({ id: 2, error: { code: -32602, data: { code: 'E_BAD_REQUEST' } } });
    expect(lines[3]).toMatchObject({ id: 3, error: { code: -32601, data: { code: 'E_BAD_REQUEST' } } });
    const first = await talk('{"jsonrpc":"2.0","id":1,"method":"run","params":{"argv":["true"]}}\n');
    expect(JSON.parse(first)).toMatchObject({ error: { data: { code: 'E_PROTOCOL' } } });
  });

  test('a client that is killed while the human reads withdraws nothing', async () => {
    const { human, projectRoot, env, cli } = await start({ exec: true });
    let answer: () => void = () => undefined;
    human.decide = () => new Promise((done) => (answer = () => done({ kind: 'yes' })));
    const client = spawn(process.execPath, [command, 'run', '--json', '--', 'mkdir', 'killed'], {
      cwd: projectRoot,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const text = await new Promise<string>((done) =>
      client.stdout.once('data', (chunk: Buffer) => done(chunk.toString())),
    );
    client.kill('SIGKILL');
    const { ticket } = JSON.parse(text) as { readonly ticket: string };
    answer();
    let result = await cli('run', '--json', '--ticket', ticket, '--', 'mkdir', 'killed');
    while (result.json.status === 'pending')
      result = await cli('run', '--json', '--ticket', ticket, '--', 'mkdir', 'killed');
    expect(result.json).toMatchObject({ status: 'done', exit_status: 0 });
  });

  test('policy: a tightening is in force at the next request, a loosening is not, a broken file refuses', async () => {
    const { cli, writeConfig, human } = await start({ allow: ['true', 'uptime'] });
    const pending = (await cli('run', '--json', 'true')).json;
    while ((await cli('run', '--json', '--ticket', pending.ticket, 'true')).json.status === 'pending');
    writeConfig(profileToml(values({ allow: ['true', 'id'], exec: true })));
    expect((await cli('run', '--json', 'uptime')).json).toMatchObject({ error: { code: 'E_NOT_ALLOWED' } });
    expect((await cli('run', '--json', 'id')).json).toMatchObject({ error: { code: 'E_NOT_ALLOWED' } });
    writeConfig('[profiles');
    expect((await cli('run', '--json', 'true')).json).toMatchObject({ error: { code: 'E_USAGE' } });
    expect((await cli('run', '--json', '--profile', 'web', 'true')).json).toMatchObject({
      error: { code: 'E_POLICY', retry: 'ask_user' },
    });
    writeConfig(profileToml(values({ allow: ['true', 'id'] })));
    await human.type(':review');
    const again = (await cli('run', '--json', 'id')).json;
    expect(again.status).toBe('pending');
  });

  test('policy: a ticket is stale when the policy changed after it was asked', async () => {
    const { cli, writeConfig } = await start({ exec: true });
    const { ticket } = (await cli('run', '--json', 'id')).json;
    writeConfig(profileToml(values({ exec: true, allow: [] })));
    expect((await cli('run', '--json', '--ticket', ticket, 'id')).json).toMatchObject({
      error: { code: 'E_STALE', retry: 'rewrite' },
    });
  });

  test('pii add: in force at once, appended to the project’s file, never taken back by the agent', async () => {
    const { cli, projectRoot } = await start();
    expect((await cli('pii', 'add', '--json', 'cust-[0-9]{6}')).json).toEqual({
      status: 'added',
      pattern: 'cust-[0-9]{6}',
      file: 'appended',
    });
    const file = join(projectRoot, '.lockssh/pii.toml');
    expect(readFileSync(file, 'utf8')).toContain('cust-[0-9]{6}');
    writeFileSync(file, '');
    expect((await cli('pii', 'list', '--json')).json.mask).toEqual([
      { pattern: 'cust-[0-9]{6}', from: 'agent' },
    ]);
    expect((await cli('pii', 'add', '--json', '(a)\\1')).json).toMatchObject({
      error: { code: 'E_BAD_PATTERN' },
    });
  });

  test('request and logout: a wish reaches the human’s review, logout ends the console', async () => {
    const { cli, human, ended } = await start();
    expect((await cli('request', '--json', 'allow systemctl restart nginx')).json).toEqual({
      status: 'queued',
      waiting: 1,
    });
    await human.type(':review');
    expect(JSON.stringify(human.screens.at(-1))).toContain('systemctl restart nginx');
    expect((await cli('logout', '--json')).json).toEqual({ status: 'closed' });
    expect(await ended).toBe('logout');
  });

  test('audit: a console’s whole life verifies, and holds no secret and no output', async () => {
    const { cli, auditDir, stop } = await start({ allow: ['true', 'echo *'] });
    const first = (await cli('run', '--json', '--', 'echo', 'password=hunter2')).json;
    while (
      (await cli('run', '--json', '--ticket', first.ticket, '--', 'echo', 'password=hunter2')).json.status ===
      'pending'
    );
    const copy = await verifyAudit(auditDir);
    expect(copy.verdict).toBe('intact');
    const text = readFileSync(join(auditDir, 'audit-000001.jsonl'), 'utf8');
    expect(text).not.toContain('hunter2');
    expect(text).toContain('effect.end');
    await stop();
    lock = undefined;
  });
});
