// Our own locks against the suites, as they are built: `npm run build` comes first (npm test does it). What a console
// shows on its socket is held against the same cases in the tests of the locks' consoles (console-socket.test.ts).
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runSuite } from './run-suite.js';
import { suiteReportOf } from './suite-report.js';
import { packageFolder } from './test/python-lock.js';

const commandOf = (lock: string): string => join(packageFolder, `../${lock}/bin/${lock}.cjs`);

async function failuresOf(lock: string, suite: 'verbs' | 'mcp' | 'socket') {
  const outcome = await runSuite({
    suite,
    lock: [commandOf(lock)],
    describe: null,
    socketPath: null,
    clientEnv: { LOCKKIT_DEMO_SOCKET_DIR: '{sockets}' },
    timeoutMs: 30_000,
    only: null,
    folder: packageFolder,
  });
  const { areas } = suiteReportOf(outcome);
  return Object.values(areas).flatMap(({ failed }) => failed.filter(({ level }) => level === 'MUST'));
}

test.each(['lockssh', 'lockfile'])('%s is built', (lock) => {
  expect(existsSync(join(packageFolder, `../${lock}/dist/${lock}.cjs`))).toBe(true);
});

test.each(['lockssh', 'lockfile'])(
  'verbs: %s passes every MUST',
  async (lock) => {
    expect(await failuresOf(lock, 'verbs')).toEqual([]);
  },
  600_000,
);

test.each(['lockssh', 'lockfile'])(
  'mcp: %s passes every MUST',
  async (lock) => {
    expect(await failuresOf(lock, 'mcp')).toEqual([]);
  },
  300_000,
);

test.each(['lockssh', 'lockfile'])(
  'socket: the client of %s passes every MUST',
  async (lock) => {
    expect(await failuresOf(lock, 'socket')).toEqual([]);
  },
  300_000,
);
