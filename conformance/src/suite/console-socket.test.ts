// A running console of each of our locks, with a real server or real files behind it, against the socket suite: the
// suite is the agent.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { socketPath } from 'lockkit/rpc';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestConsole, profileToml, type TestConsole } from '../../../lockssh/src/test/test-console.js';
import {
  openTestConsole as openLockfileConsole,
  type TestConsole as LockfileConsole,
} from '../../../lockfile/src/test/test-console.js';
import { openTestServer, requireReal, type TestServer } from '../real-sshd.js';
import { reachesConsole } from './run-case.js';
import { readSuite } from './read-suite.js';
import { runSuite } from './run-suite.js';
import { suiteReportOf } from './suite-report.js';
import { packageFolder } from './test/python-lock.js';

const SUITE_MS = 300_000;

/** Every case in which the suite talks to a running console itself. */
async function expectPasses(lock: string, path: string): Promise<void> {
  const asAgent = readSuite(join(packageFolder, 'suites'), 'socket').filter(({ steps }) =>
    steps.some(reachesConsole),
  );
  const outcome = await runSuite({
    suite: 'socket',
    lock: [join(packageFolder, `../${lock}/bin/${lock}.cjs`)],
    describe: null,
    socketPath: path,
    clientEnv: {},
    timeoutMs: 30_000,
    only: asAgent.map(({ id }) => id),
    folder: packageFolder,
  });
  const { areas, total } = suiteReportOf(outcome);
  expect(Object.values(areas).flatMap(({ failed }) => failed)).toEqual([]);
  expect(total.passed).toBe(asAgent.length);
}

const isReal = requireReal(['root', 'sshd', 'useradd', 'bash']);

describe.skipIf(!isReal)('socket: a console of lockssh', () => {
  let server: TestServer;
  let folder: string;
  let lock: TestConsole;

  beforeAll(async () => {
    server = await openTestServer({ accounts: [{ name: 'lk-conf', shell: 'bash' }] });
    folder = mkdtempSync(join(tmpdir(), 'lock-console-'));
    writeFileSync(join(folder, 'known_hosts'), server.knownHosts, { mode: 0o600 });
    const { host, port, clientKeyPath: key } = server;
    const profile = {
      host,
      port,
      user: 'lk-conf',
      key,
      known_hosts: join(folder, 'known_hosts'),
      allow: ['true'],
    };
    lock = await openTestConsole({ config: profileToml(profile) });
  });
  afterAll(async () => {
    await lock.stop();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test(
    'it passes every MUST',
    async () => {
      const { socketDir, projectRoot } = lock;
      await expectPasses('lockssh', socketPath({ socketDir, projectRoot, profile: 'web' }));
    },
    SUITE_MS,
  );
});

describe('socket: a console of lockfile', () => {
  let lock: LockfileConsole;
  beforeAll(async () => void (lock = await openLockfileConsole()));
  afterAll(() => lock.stop());

  test(
    'it passes every MUST',
    async () => {
      const { demo, projectRoot } = lock;
      const path = socketPath({ socketDir: demo.socketDir, projectRoot, profile: 'samples' });
      await expectPasses('lockfile', path);
    },
    SUITE_MS,
  );
});
