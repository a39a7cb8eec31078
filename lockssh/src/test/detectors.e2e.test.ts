// Detectors that are off by default, through a real console: a profile turns them on, pii.toml keeps one of their
// values in clear, one more is in force at once, one fewer waits for the human.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_DETECTORS } from 'lockkit/detectors';
import { requireReal } from './real-parts.js';
import { openTestServer, type TestServer } from './sshd.js';
import { openTestConsole, profileToml, type TestConsole } from './test-console.js';

const LOG = 'ether 00:1a:2b:3c:4d:5e and 00:1a:2b:3c:4d:5f\nSSN: 460-89-9847\nNISS 85.07.30-033.28\n';
const PII = '[[allow]]\nkind = "mac"\nvalue = "00-1A-2B-3C-4D-5F"\n';
const isReal = requireReal(['root', 'sshd', 'useradd', 'bash']);

describe.skipIf(!isReal)('detectors of a profile', () => {
  let server: TestServer;
  let folder: string;
  let lock: TestConsole | undefined;

  beforeAll(async () => {
    server = await openTestServer({
      accounts: [{ name: 'lk-detect', shell: 'bash', files: { 'app.log': LOG } }],
    });
    folder = mkdtempSync(join(tmpdir(), 'lockssh-e2e-keys-'));
    writeFileSync(join(folder, 'known_hosts'), server.knownHosts, { mode: 0o600 });
  });
  afterEach(async () => {
    await lock?.stop();
    lock = undefined;
  });
  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const config = (...more: readonly string[]): string =>
    profileToml({
      host: server.host,
      port: server.port,
      user: 'lk-detect',
      key: server.clientKeyPath,
      known_hosts: join(folder, 'known_hosts'),
      allow: ['cat app.log'],
      detectors: [...DEFAULT_DETECTORS, ...more],
    });

  /** The log as the agent gets it, once the human's answer to what it waits for has been recorded. */
  async function readLog({
    cli,
  }: TestConsole): Promise<{ readonly stdout: string; readonly masked: object }> {
    let { json } = await cli('run', '--json', '--', 'cat', 'app.log');
    const { ticket } = json as { readonly ticket?: string };
    while (json.status === 'pending')
      ({ json } = await cli('run', '--json', '--ticket', ticket ?? '', '--', 'cat', 'app.log'));
    expect(json).toMatchObject({ status: 'done', exit_status: 0 });
    return json as { readonly stdout: string; readonly masked: object };
  }

  test('those that it names hide, an allowed value stays, and the console showed both for approval', async () => {
    lock = await openTestConsole({ config: config('mac', 'us_ssn'), pii: PII });
    const { stdout, masked } = await readLog(lock);
    expect(masked).toEqual({ mac: 1, us_ssn: 1 });
    expect(stdout).toMatch(
      /^ether ⟦mac:\w{12}⟧ and 00:1a:2b:3c:4d:5f\nSSN: ⟦us_ssn:\w{12}⟧\nNISS 85.07.30-033.28\n$/u,
    );
    const first = JSON.stringify(lock.human.screens[0]);
    for (const word of ['mac', 'us_ssn', '00-1A-2B-3C-4D-5F']) expect(first).toContain(word);
    expect((await lock.cli('pii', 'list', '--json')).json.allow).toEqual([
      { kind: 'mac', value: '00-1A-2B-3C-4D-5F' },
    ]);
  });

  test('one more is in force at the next request; one fewer waits for the human, and both stay on', async () => {
    lock = await openTestConsole({ config: config('mac') });
    expect((await readLog(lock)).masked).toEqual({ mac: 2 });
    lock.writeConfig(config('mac', 'be_niss'));
    expect((await readLog(lock)).masked).toEqual({ mac: 2, be_niss: 1 });
    lock.writeConfig(config('be_niss', 'us_ssn'));
    expect((await readLog(lock)).masked).toEqual({ mac: 2, be_niss: 1, us_ssn: 1 });
    await lock.human.type(':review');
    expect((await readLog(lock)).masked).toEqual({ be_niss: 1, us_ssn: 1 });
  });
});
