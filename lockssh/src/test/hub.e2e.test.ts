// lockssh through the hub ("What runs, what waits, what is refused", "Auto rules"): a real server, a real console, a
// real hub, the agent's command as a process, and deciders with keys of their own.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { verifyAudit } from 'lockkit/audit';
import type { DeciderHub, VerifiedEntry } from 'lockkit/hub';
import { parseProfileRules, type ProfileRules } from 'lockkit/tickets';
import { requireReal } from './real-parts.js';
import { openTestServer, type TestServer } from './sshd.js';
import { openTestConsole, profileToml, type ConsoleWishes, type TestConsole } from './test-console.js';
import { openTestHub, type TestHub } from './test-hub.js';

const isReal = requireReal(['root', 'sshd', 'useradd', 'bash']);

describe.skipIf(!isReal)('through the hub', () => {
  let server: TestServer;
  let folder: string;
  let hub: TestHub;
  let lock: TestConsole;
  let human: DeciderHub;

  beforeAll(async () => {
    server = await openTestServer({
      accounts: [{ name: 'lk-hub', shell: 'bash', files: { 'app.log': 'from anna.berg@example.org\n' } }],
    });
    folder = mkdtempSync(join(tmpdir(), 'lockssh-e2e-keys-'));
    writeFileSync(join(folder, 'known_hosts'), server.knownHosts, { mode: 0o600 });
  });
  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    hub = await openTestHub({ lock: 'lockssh', profile: 'web' });
  });
  afterEach(async () => {
    await lock?.stop().catch(() => undefined);
    await hub.close();
  });

  const home = (): string => server.account('lk-hub').home;

  function config(values: object, auto: string): string {
    const profile = {
      host: server.host,
      port: server.port,
      user: 'lk-hub',
      key: server.clientKeyPath,
      known_hosts: join(folder, 'known_hosts'),
      allow: ['true', 'cat app.log'],
      ...values,
    };
    return `${profileToml(profile)}${auto}`;
  }

  async function start(values: object, auto = '', more: Partial<ConsoleWishes> = {}): Promise<void> {
    const { url, keyFile } = hub;
    lock = await openTestConsole({ config: config(values, auto), hub: { url, keyFile }, ...more });
    human = await hub.openDecider('human');
  }

  const run = async (argv: readonly string[], ...flags: readonly string[]) =>
    (await lock.cli('run', '--json', ...flags, '--', ...argv)).json;

  async function waiting(): Promise<VerifiedEntry> {
    const pending = () => human.open().filter(({ state }) => state === 'pending');
    await expect.poll(pending, { timeout: 10_000 }).toHaveLength(1);
    return pending()[0] as VerifiedEntry;
  }

  /** Asks, decides at the hub, and asks again with the ticket. */
  async function decided(
    argv: readonly string[],
    verdict: 'approved' | 'denied',
    flags: readonly string[] = [],
  ) {
    const asked = await run(argv, ...flags);
    expect(asked).toMatchObject({ status: 'pending', ticket: expect.stringMatching(/^t_/) });
    const entry = await waiting();
    expect(entry.ticket.id).toBe(asked.ticket);
    expect(await human.decide(entry, { verdict, rule: 'human', desktopLevel: 3 })).toMatchObject({
      ok: true,
    });
    return { entry, result: await askUntilDecided(argv, entry, flags) };
  }

  async function askUntilDecided(
    argv: readonly string[],
    { ticket }: VerifiedEntry,
    flags: readonly string[] = [],
  ) {
    for (;;) {
      const result = await run(argv, '--ticket', ticket.id, ...flags);
      if (result.status !== 'pending') return result;
    }
  }

  const auditText = (): string => readFileSync(join(lock.auditDir, 'audit-000001.jsonl'), 'utf8');
  const rules = async (): Promise<ProfileRules> =>
    parseProfileRules(
      (await lock.cli('profile', 'rules', '--json', '--profile', 'web')).json,
    ) as ProfileRules;

  test('no start without the hub, with a key file that others can read, or for another hub', async () => {
    const failure = (url: string, keyFile: string) =>
      openTestConsole({ config: config({}, ''), hub: { url, keyFile } }).then(
        async (started) => {
          lock = started;
          return 'started';
        },
        (error: unknown) => error,
      );
    const mistake = expect.objectContaining({ name: 'UserMistake' });
    expect(await failure('unix:/nowhere.sock', hub.keyFile)).toEqual(mistake);
    chmodSync(hub.keyFile, 0o640);
    expect(await failure(hub.url, hub.keyFile)).toEqual(mistake);
    chmodSync(hub.keyFile, 0o600);
    await hub.stop();
    expect(await failure(hub.url, hub.keyFile)).toEqual(mistake);
    await hub.start();
    expect(await failure(hub.url, hub.keyFile)).toBe('started');
  });

  test('connect and exec: one ticket, decided at the hub, run once; denied; then the connect is granted', async () => {
    await start({ exec: true });
    const made = join(home(), 'by-hub');
    const { entry, result } = await decided(['mkdir', 'by-hub'], 'approved');
    expect(entry.ticket).toMatchObject({ kind: 'exec', risk: 'write', never_auto: true });
    expect(JSON.stringify(entry.ticket.screen)).toContain('by-hub');
    expect(result).toMatchObject({ status: 'done', exit_status: 0 });
    expect(existsSync(made)).toBe(true);
    expect(await run(['mkdir', 'by-hub'], '--ticket', entry.ticket.id)).toMatchObject({
      error: { code: 'E_UNKNOWN_TICKET' },
    });
    expect(await run(['true'])).toMatchObject({ status: 'done' });
    expect((await decided(['touch', 'no'], 'denied')).result).toMatchObject({ error: { code: 'E_DENIED' } });
    expect(existsSync(join(home(), 'no'))).toBe(false);
    await expect
      .poll(async () => (await human.history()).entries.map(({ state }) => state))
      .toEqual(expect.arrayContaining(['denied', 'used']));
    expect(auditText()).toContain('"desktop_level":3');
    expect((await verifyAudit(lock.auditDir)).verdict).toBe('intact');
    // The console's own human decided the policy, and no ticket.
    expect(lock.human.screens.map(({ title }) => JSON.stringify(title)).join()).not.toContain(
      'command outside',
    );
  });

  test('full-auto: rules decide connect and exec without a turn of the agent; an unmask is still a human’s', async () => {
    await start({ exec: true, auto: 'full-auto' }, '', { desktopLevel: 3, allowUnmask: true });
    const known = await rules();
    expect(known).toMatchObject({ auto: { connect: 'auto', run: 'auto', exec: 'auto', unmask: 'ask' } });
    await hub.openAuto(() => known);
    expect(await run(['touch', 'by-rule'])).toMatchObject({ status: 'done', exit_status: 0 });
    expect(existsSync(join(home(), 'by-rule'))).toBe(true);
    expect(auditText()).toContain('"rule":"auto.exec"');
    const clear = await decided(['cat', 'app.log'], 'approved', ['--unmask']);
    expect(clear.entry.ticket).toMatchObject({ kind: 'unmask', risk: 'read-pii', never_auto: true });
    expect(clear.result.stdout).toContain('anna.berg@example.org');
  });

  test('auto rules without anybody who applies them: pending, and a human may decide', async () => {
    await start({ exec: true, auto: 'full-auto' });
    const { entry, result } = await decided(['touch', 'by-human'], 'approved');
    expect(entry.ticket.never_auto).toBe(false);
    expect(result).toMatchObject({ status: 'done' });
  });

  test('never_auto: an automatic approval is refused, an automatic denial counts; deny needs nobody', async () => {
    await start({ exec: true }, '[profiles.web.auto]\nunmask = "deny"\n', {
      desktopLevel: 3,
      allowUnmask: true,
    });
    const auto = await hub.openDecider('auto');
    await run(['touch', 'x']);
    const entry = await waiting();
    expect(await auto.decide(entry, { verdict: 'approved', rule: 'auto.exec' })).toEqual({
      ok: false,
      code: 'E_NEVER_AUTO',
    });
    await auto.decide(entry, { verdict: 'denied', rule: 'auto.exec' });
    expect(await askUntilDecided(['touch', 'x'], entry)).toMatchObject({ error: { code: 'E_DENIED' } });
    expect(await run(['cat', 'app.log'], '--unmask')).toMatchObject({ error: { code: 'E_AUTO_DENIED' } });
  });

  test('production: a write is prod-write and a human’s; a decision typed at a lower desktop level does not count', async () => {
    const mistake = expect.objectContaining({ name: 'UserMistake' });
    await expect(start({ exec: true, production: true, auto: 'full-auto' })).rejects.toEqual(mistake);
    await start({ exec: true, production: true });
    const asked = await run(['touch', 'prod']);
    const entry = await waiting();
    expect(entry.ticket).toMatchObject({ risk: 'prod-write', never_auto: true });
    expect(entry.ticket.screen.question).toMatchObject({ kind: 'typed', expected: 'web' });
    await human.decide(entry, { verdict: 'approved', rule: 'human', desktopLevel: 2 });
    await expect
      .poll(async () => (await human.history()).entries.at(0))
      .toMatchObject({ state: 'withdrawn', why: 'E_LEVEL' });
    expect(await run(['touch', 'prod'], '--ticket', asked.ticket)).toMatchObject({
      error: { code: 'E_UNKNOWN_TICKET' },
    });
    expect(existsSync(join(home(), 'prod'))).toBe(false);
    expect(auditText()).toContain('"code":"E_LEVEL"');
  });

  test('the hub goes: new asks are E_NO_HUB, allowed runs go on, what waited is decided once it is back', async () => {
    await start({ exec: true });
    await decided(['true'], 'approved');
    const asked = await run(['touch', 'later']);
    await hub.stop();
    expect(await run(['touch', 'gone'])).toMatchObject({ error: { code: 'E_NO_HUB', retry: 'ask_user' } });
    expect(await run(['true'])).toMatchObject({ status: 'done' });
    expect(await run(['touch', 'later'], '--ticket', asked.ticket)).toMatchObject({ status: 'pending' });
    await hub.start();
    human = await hub.openDecider('human');
    const entry = await waiting();
    await human.decide(entry, { verdict: 'approved', rule: 'human', desktopLevel: 3 });
    expect(await askUntilDecided(['touch', 'later'], entry)).toMatchObject({ status: 'done' });
    expect(auditText()).toMatch(/"event":"hub\.lost"[^]*"event":"hub\.back"/);
    expect(existsSync(join(home(), 'gone'))).toBe(false);
  });

  test('a policy that changed after the approval: E_STALE, and nothing runs', async () => {
    await start({ exec: true });
    const asked = await run(['touch', 'stale']);
    await human.decide(await waiting(), { verdict: 'approved', rule: 'human', desktopLevel: 3 });
    lock.writeConfig(config({ exec: true, allow: [] }, ''));
    await expect
      .poll(() => run(['touch', 'stale'], '--ticket', asked.ticket), { timeout: 10_000 })
      .toMatchObject({ error: { code: 'E_STALE' } });
    expect(existsSync(join(home(), 'stale'))).toBe(false);
  });
});
