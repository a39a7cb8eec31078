// Each row of the page's table "What runs, what waits, what is refused", against a real server, through the command
// and through MCP, with the same JSON.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { verifyAudit } from 'lockkit/audit';
import { requireReal } from './real-parts.js';
import { openTestServer, type TestServer } from './sshd.js';
import { openTestConsole, profileToml, type ConsoleWishes, type TestConsole } from './test-console.js';

const LOG = 'login anna.berg@example.org from 203.0.113.7\npassword=hunter2-e2e\nfine\n';

const isReal = requireReal(['root', 'sshd', 'useradd', 'bash']);

/** One way for an agent to ask: the command or the MCP tool; both answer with the same JSON. */
type Ask = (
  argv: readonly string[],
  more?: {
    readonly ticket?: string;
    readonly unmask?: boolean;
    readonly dry_run?: boolean;
    readonly intent?: string;
  },
) => Promise<any>; // eslint-disable-line @typescript-eslint/no-explicit-any

describe.skipIf(!isReal).each(['command', 'MCP'] as const)('the table of runs, through %s', (way) => {
  let server: TestServer;
  let folder: string;
  let lock: TestConsole | undefined;
  let closers: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    server = await openTestServer({
      accounts: [{ name: 'lk-e2e', shell: 'bash', files: { 'app.log': LOG } }],
    });
    folder = mkdtempSync(join(tmpdir(), 'lockssh-e2e-keys-'));
    writeFileSync(join(folder, 'known_hosts'), server.knownHosts, { mode: 0o600 });
  });
  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(async () => {
    for (const close of closers) await close();
    closers = [];
    await lock?.stop();
    lock = undefined;
  });

  const home = (): string => server.account('lk-e2e').home;

  async function start(
    values: Readonly<Record<string, unknown>>,
    more: Partial<ConsoleWishes> = {},
  ): Promise<Ask> {
    const profile = {
      host: server.host,
      port: server.port,
      user: 'lk-e2e',
      key: server.clientKeyPath,
      known_hosts: join(folder, 'known_hosts'),
      allow: ['true', 'cat app.log', 'touch made-by-rule'],
      ...values,
    };
    lock = await openTestConsole({ config: profileToml(profile), ...more });
    return way === 'command' ? askByCommand(lock) : askByMcp(lock);
  }

  function askByCommand(console_: TestConsole): Ask {
    return async (argv, more = {}) => {
      const flags = [
        ...(more.ticket === undefined ? [] : ['--ticket', more.ticket]),
        ...(more.unmask ? ['--unmask'] : []),
        ...(more.dry_run ? ['--dry-run'] : []),
        ...(more.intent === undefined ? [] : ['--intent', more.intent]),
      ];
      const result = await console_.cli('run', '--json', ...flags, '--', ...argv);
      const isOk = result.json?.error === undefined && result.json?.status !== 'pending';
      expect(result.exit).toBe(isOk ? 0 : 1);
      return result.json;
    };
  }

  async function askByMcp(console_: TestConsole): Promise<Ask> {
    const client = await console_.openMcp();
    closers.push(() => client.close());
    return async (argv, more = {}) => {
      const result = await client.callTool({ name: 'lockssh_run', arguments: { argv, ...more } });
      expect(result.isError === true).toBe(
        (result.structuredContent as { error?: unknown }).error !== undefined,
      );
      return result.structuredContent;
    };
  }

  /** Asks with a ticket until the human's answer has been recorded, as an agent that is told too early would. */
  async function askDecided(ask: Ask, argv: readonly string[], more: Parameters<Ask>[1]): ReturnType<Ask> {
    for (;;) {
      const result = await ask(argv, more);
      if (result.status !== 'pending' || result.ticket !== more?.ticket) return result;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** The first request of a session waits for the connect ticket; after it the session is granted. */
  async function connect(ask: Ask): Promise<void> {
    const pending = await ask(['true']);
    expect(pending).toMatchObject({ status: 'pending', ticket: expect.stringMatching(/^t_/) });
    expect(await askDecided(ask, ['true'], { ticket: pending.ticket })).toMatchObject({
      status: 'done',
      exit_status: 0,
    });
  }

  test('the first request waits for the connect ticket, the next allowed one runs at once and comes back masked', async () => {
    const ask = await start({});
    await connect(ask);
    const result = await ask(['cat', 'app.log']);
    expect(result).toMatchObject({
      status: 'done',
      exit_status: 0,
      ended: 'confirmed',
      masked: { email: 1, ip: 1, secret: 1 },
    });
    expect(result.stdout).not.toContain('anna.berg');
    expect(result.stdout).not.toContain('hunter2');
    expect(result.stdout).toMatch(/⟦email:[0-9A-Z]{12}⟧[^]*⟦secret⟧[^]*fine\n$/);
    expect((await verifyAudit((lock as TestConsole).auditDir)).verdict).toBe('intact');
  });

  test('run = "ask": an allowed command waits for a ticket each time', async () => {
    const values = {
      host: server.host,
      port: server.port,
      user: 'lk-e2e',
      key: server.clientKeyPath,
      known_hosts: join(folder, 'known_hosts'),
      allow: ['true'],
    };
    const config = `${profileToml(values)}[profiles.web.auto]\nrun = "ask"\n`;
    lock = await openTestConsole({ config });
    const ask = way === 'command' ? askByCommand(lock) : await askByMcp(lock);
    await connect(ask);
    expect(await ask(['true'])).toMatchObject({ status: 'pending' });
  });

  test('no rule matches, exec = false: refused, and nothing runs', async () => {
    const ask = await start({});
    await connect(ask);
    expect(await ask(['touch', 'made-without-rule'])).toMatchObject({
      error: { code: 'E_NOT_ALLOWED', retry: 'ask_user' },
    });
    expect(existsSync(join(home(), 'made-without-rule'))).toBe(false);
  });

  test('no rule matches, exec = true: a ticket, decided by the human, run once', async () => {
    const ask = await start({ exec: true });
    await connect(ask);
    const argv = ['mkdir', `made-by-ticket-${way}`];
    const pending = await ask(argv, { intent: 'make a folder' });
    expect(pending.status).toBe('pending');
    expect(existsSync(join(home(), argv[1] as string))).toBe(false);
    expect(await askDecided(ask, argv, { ticket: pending.ticket })).toMatchObject({
      status: 'done',
      exit_status: 0,
    });
    expect(existsSync(join(home(), argv[1] as string))).toBe(true);
    expect(await ask(argv, { ticket: pending.ticket })).toMatchObject({
      error: { code: 'E_UNKNOWN_TICKET' },
    });
  });

  test('a ticket runs the stored request only: other words with it are refused', async () => {
    const ask = await start({ exec: true });
    await connect(ask);
    const pending = await ask(['mkdir', 'one']);
    expect(await ask(['mkdir', 'other'], { ticket: pending.ticket })).toMatchObject({
      error: { code: 'E_UNKNOWN_TICKET' },
    });
    expect(existsSync(join(home(), 'other'))).toBe(false);
  });

  test('a denied request is refused, and refused again without asking the human', async () => {
    const ask = await start({ exec: true });
    await connect(ask);
    const { human } = lock as TestConsole;
    human.decide = () => ({ kind: 'no', reason: 'not today' });
    const pending = await ask(['mkdir', 'denied']);
    expect(await askDecided(ask, ['mkdir', 'denied'], { ticket: pending.ticket })).toMatchObject({
      error: { code: 'E_DENIED', retry: 'stop' },
    });
    const screens = human.screens.length;
    const again = await ask(['mkdir', 'denied']);
    expect(again).toMatchObject({ error: { code: 'E_DENIED' } });
    expect(JSON.stringify(again)).not.toContain('not today');
    expect(human.screens.length).toBe(screens);
    expect(existsSync(join(home(), 'denied'))).toBe(false);
  });

  test('unmask: refused while it is off', async () => {
    const ask = await start({});
    await connect(ask);
    expect(await ask(['cat', 'app.log'], { unmask: true })).toMatchObject({
      error: { code: 'E_UNMASK_OFF' },
    });
  });

  test('unmask: --allow-unmask counts on desktop level 3 only', async () => {
    const ask = await start({}, { allowUnmask: true, desktopLevel: 2 });
    await connect(ask);
    expect(await ask(['cat', 'app.log'], { unmask: true })).toMatchObject({
      error: { code: 'E_UNMASK_OFF' },
    });
  });

  test('unmask: once allowed a ticket each time, then clear output for that run alone', async () => {
    const ask = await start({}, { allowUnmask: true, desktopLevel: 3 });
    await connect(ask);
    const pending = await ask(['cat', 'app.log'], { unmask: true });
    expect(pending.status).toBe('pending');
    expect(await ask(['cat', 'app.log'], { ticket: pending.ticket })).toMatchObject({
      error: { code: 'E_UNKNOWN_TICKET' },
    });
    expect(await askDecided(ask, ['cat', 'app.log'], { ticket: pending.ticket, unmask: true })).toMatchObject(
      {
        status: 'done',
        stdout: LOG,
        masked: {},
      },
    );
    expect((await ask(['cat', 'app.log'])).stdout).not.toContain('anna.berg');
  });

  test('production: the human types the profile’s name; a write is prod-write', async () => {
    const ask = await start({ production: true, exec: true });
    await connect(ask);
    const pending = await ask(['mkdir', 'prod']);
    expect(pending.status).toBe('pending');
    const { human } = lock as TestConsole;
    expect(human.screens.at(-1)?.question).toMatchObject({ kind: 'typed', expected: 'web' });
  });

  test('dry run: tells what would happen and touches nothing', async () => {
    const ask = await start({ exec: true });
    expect(await ask(['true'], { dry_run: true })).toEqual({ status: 'would_wait', rule: 'true' });
    await connect(ask);
    expect(await ask(['touch', 'made-by-rule'], { dry_run: true })).toEqual({
      status: 'would_run',
      rule: 'touch made-by-rule',
    });
    expect(await ask(['mkdir', 'x'], { dry_run: true })).toEqual({ status: 'would_wait' });
    expect(await ask(['-x'], { dry_run: true })).toEqual({ status: 'would_refuse', code: 'E_BAD_ARGV' });
    expect(existsSync(join(home(), 'made-by-rule'))).toBe(false);
  });

  test('E_BAD_ARGV: 65 arguments, a control character, a builtin, even where commands outside the rules may be asked', async () => {
    const ask = await start({ exec: true });
    for (const argv of [
      Array.from({ length: 65 }, () => 'a'),
      ['echo', 'a\u0007'],
      ['eval', 'true'],
      ['A=b', 'true'],
    ])
      expect(await ask(argv)).toMatchObject({ error: { code: 'E_BAD_ARGV', retry: 'rewrite' } });
  });
});
