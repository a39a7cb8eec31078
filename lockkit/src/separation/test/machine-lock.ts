// One test run at a time installs locks on this machine: the paths of an installation are fixed, so two runs would
// undo each other's. The holder is named by pid and start time, so that one left by a crash is known as such.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const PATH = '/var/lib/locks-test-install/lock';
const WAIT_MS = 20 * 60_000;

function startTime(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

function breakStale(): void {
  try {
    const [pid, started] = readFileSync(PATH, 'utf8').split(' ');
    if (pid !== undefined && started !== undefined && startTime(Number(pid)) !== started)
      rmSync(PATH, { force: true });
  } catch {
    // It was given back between the two looks.
  }
}

/** Waits until no other run holds the machine; the returned function gives it back. */
export async function holdMachine(): Promise<() => void> {
  mkdirSync(dirname(PATH), { recursive: true, mode: 0o755 });
  const endAtMs = Date.now() + WAIT_MS;
  for (;;) {
    try {
      writeFileSync(PATH, `${String(process.pid)} ${startTime(process.pid)}`, { flag: 'wx' });
      return () => rmSync(PATH, { force: true });
    } catch {
      breakStale();
      if (Date.now() > endAtMs) throw new Error('another test run holds this machine’s installation');
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}
