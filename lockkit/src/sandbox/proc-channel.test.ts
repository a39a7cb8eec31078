// The side door that no filter closes: what a program writes over its own argv is in /proc, for every account.
// It is closed by hiding the processes of the console's account (docs/sandbox.md); both are shown here.
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openProbeBench } from './probe/open-probe-bench.js';
import { runUnder } from './run-sandboxed.js';

const PLUGIN_ACCOUNT = { uid: 61_236, gid: 61_236 };
const OTHER = '61237';
const SECRET = 'a-line-of-the-file';
const LIMITS = { cpuS: 5, memoryBytes: 2 ** 26, timeoutMs: 60_000 };

/** Reads cmdline, comm and stat of `pid` as another account, on a fresh /proc with the given option. */
function readAsOther(pid: number, option: string, folder: string): string {
  const as = `setpriv --reuid=${OTHER} --regid=${OTHER} --clear-groups`;
  const script = `mount -t proc -o ${option} proc "$1" && cd "$1/$2" && exec ${as} cat cmdline comm stat`;
  try {
    return execFileSync('unshare', ['-m', 'sh', '-c', script, 'sh', folder, String(pid)], {
      encoding: 'latin1',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return '';
  }
}

/** The test's own timeout is the bound. */
async function waitForTalker(): Promise<number> {
  for (;;) {
    const pid = readdirSync('/proc').find((name) => /^\d+$/.test(name) && cmdlineOf(name).startsWith(SECRET));
    if (pid !== undefined) return Number(pid);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

function cmdlineOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}

describe.skipIf(process.getuid?.() !== 0)(
  'a program that writes over its own argv (needs root to try)',
  () => {
    const controller = new AbortController();
    let folder: string;
    let running: Promise<unknown>;
    let pid: number;

    beforeAll(async () => {
      const { binary } = await openProbeBench();
      folder = mkdtempSync(join(tmpdir(), 'lock-proc-'));
      writeFileSync(join(folder, 'input'), `@talk ${SECRET}`);
      const inputFd = openSync(join(folder, 'input'), 'r');
      const environment = { name: 'LOCKFILE_PLUGIN_PROTOCOL', value: '1' };
      const plan = { binary, inputFd, detail: false, environment, limits: LIMITS, signal: controller.signal };
      running = runUnder(plan, { account: PLUGIN_ACCOUNT });
      pid = await waitForTalker();
      closeSync(inputFd);
    });

    afterAll(async () => {
      controller.abort();
      await running;
      rmSync(folder, { recursive: true });
    });

    it('is read by another account where processes are visible', () => {
      const seen = readAsOther(pid, 'hidepid=off', folder);
      expect(seen).toContain(SECRET);
      expect(seen).toContain(`${pid} (5)`);
    });

    it('is not there for another account where they are hidden', () => {
      expect(readAsOther(pid, 'hidepid=invisible', folder)).toBe('');
    });
  },
);
