// The suites are not about our code: a lock of another language, with nothing of it, passes them.
import { expect, test } from 'vitest';
import { runSuite } from './run-suite.js';
import { suiteReportOf } from './suite-report.js';
import { openConsole, python, secondLock, wishOf } from './test/python-lock.js';

const here = test.skipIf(python === undefined);

async function failuresOf(wish: Parameters<typeof runSuite>[0]) {
  const { areas, total } = suiteReportOf(await runSuite(wish));
  return { failed: Object.values(areas).flatMap(({ failed }) => failed), passed: total.passed };
}

here(
  'verbs: the second lock passes',
  async () => {
    const { failed, passed } = await failuresOf(wishOf([secondLock], 'verbs'));
    expect(failed).toEqual([]);
    expect(passed).toBeGreaterThan(100);
  },
  600_000,
);

here(
  'mcp: the second lock passes',
  async () => {
    const { failed, passed } = await failuresOf(wishOf([secondLock], 'mcp'));
    expect(failed).toEqual([]);
    expect(passed).toBeGreaterThan(30);
  },
  300_000,
);

here(
  'socket: the second lock passes as client and as console',
  async () => {
    const { socketPath, stop } = await openConsole([secondLock]);
    const { failed, passed } = await failuresOf(wishOf([secondLock], 'socket', { socketPath })).finally(stop);
    expect(failed).toEqual([]);
    expect(passed).toBeGreaterThan(60);
  },
  300_000,
);
