// The process file system of the real kernel, with and without hidepid, in a mount namespace of its own: the machine's
// own /proc stays as it is. What the facts say and what an ordinary account really sees must be the same.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { areProcessesHidden } from './check-start.js';
import { parseProcMounts } from './read-proc-mounts.js';
import { client } from './test/sample-facts.js';

const isReal = process.getuid?.() === 0 && existsSync('/usr/bin/unshare') && existsSync('/usr/bin/setpriv');
if (!isReal && process.env['CI'] === 'true')
  throw new Error('missing real part: root with unshare and setpriv');

/** Another account's process, with a word in its arguments as a plugin would write it. */
let spy: ChildProcess;
const WATCHER = { ...client, uid: 65534, gid: 65534, gids: [65534] };

beforeAll(() => {
  if (isReal)
    spy = spawn('setpriv', ['--reuid', '2', '--regid', '2', '--clear-groups', '--', 'sleep', '1234']);
});
afterAll(() => void spy?.kill());

function inNamespace(options: string, script: string): string {
  const mount = `mount -t proc -o ${options} proc /proc && ${script}`;
  return spawnSync('unshare', ['--mount', 'sh', '-c', mount], { encoding: 'utf8' }).stdout;
}

describe.runIf(isReal)('areProcessesHidden', () => {
  test.each([
    ['hidepid=0', false],
    ['hidepid=1', false],
    ['hidepid=invisible', true],
    ['hidepid=ptraceable', true],
    ['hidepid=invisible,gid=65534', false],
  ])('%s: %s, and so does the kernel', (options, hidden) => {
    const mountinfo = inNamespace(options, 'cat /proc/self/mountinfo');
    // The namespace still lists the outer mount below the new one.
    const procMounts = parseProcMounts(mountinfo);
    expect(areProcessesHidden({ procMounts, clients: [WATCHER] })).toBe(hidden);
    const seen = inNamespace(
      options,
      `setpriv --reuid 65534 --regid 65534 --clear-groups ls -d /proc/${String(spy.pid)} 2>/dev/null; true`,
    );
    expect(seen.includes(String(spy.pid))).toBe(!hidden);
  });
});
