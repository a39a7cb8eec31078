// Scenarios of area A4 about a run: how it ends, what comes back, and what is left on the server.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHostileServer } from '../test/hostile-server.js';
import { causeOfLogin, login, RUN_LIMITS } from '../test/login.js';
import { requireReal } from '../test/real-parts.js';
import { openTestServer, type TestServer } from '../test/sshd.js';
import type { Connection } from './connection.js';
import type { RunEnd } from './run-line.js';

const isReal = requireReal(['root', 'sshd', 'ssh-keygen', 'useradd', 'setpriv', 'bash', 'zsh']);

function alive(server: TestServer, command: string): readonly string[] {
  return server
    .processes()
    .map((process) => process.command)
    .filter((text) => text.includes(command));
}

describe.skipIf(!isReal)('a run on a real server', () => {
  let server: TestServer;
  let connection: Connection;
  beforeAll(async () => {
    server = await openTestServer({ accounts: ['bash', 'zsh'] });
    connection = await login(server, 'lk-bash');
  });
  afterAll(async () => {
    await connection.close();
    await server.close();
  });

  const sh = (script: string, limits = {}): Promise<RunEnd> =>
    connection.run(['sh', '-c', script], { ...RUN_LIMITS, ...limits });

  it('A4-046 gives the exit status', async () => {
    expect(await sh('exit 3')).toMatchObject({ kind: 'exited', exitStatus: 3, ended: 'confirmed' });
    expect(await connection.run(['no-such-program'], RUN_LIMITS)).toMatchObject({
      kind: 'exited',
      exitStatus: 127,
    });
  });

  it('gives the signal, whose output is cut', async () => {
    const end = await sh('echo before; kill -TERM $$');
    expect(end).toMatchObject({ kind: 'signalled', signal: 'SIGTERM', ended: 'confirmed', stdoutEnd: 'cut' });
    expect(end.exitStatus).toBeUndefined();
  });

  it('a KILL that comes before the time is over is a signal, not a timeout', async () => {
    expect(await sh('kill -KILL $$')).toMatchObject({ kind: 'signalled', signal: 'SIGKILL' });
  });

  it('A4-049 does not wait for a background child that holds the channel', async () => {
    const end = await sh('sleep 300 & echo hi', { timeoutMs: 20_000 });
    expect(end).toMatchObject({ kind: 'exited', exitStatus: 0, ended: 'confirmed', stdoutEnd: 'cut' });
    expect(end.stdout.toString()).toBe('hi\n');
  });

  it('and a background child uses up no session', async () => {
    for (let round = 0; round < 12; round++) {
      const end = await connection.run(['sh', '-c', 'sleep 20 & echo hi'], RUN_LIMITS);
      expect(end.kind).toBe('exited');
    }
  }, 60_000);

  it('A4-050 leaves no process behind when the time is over', async () => {
    const end = await connection.run(['sleep', '34'], { ...RUN_LIMITS, timeoutMs: 300 });
    expect(end).toMatchObject({ kind: 'timed_out', ended: 'confirmed' });
    expect(alive(server, 'sleep 34')).toEqual([]);
  });

  it('A4-050 nor the processes that it started', async () => {
    const end = await sh('sleep 35; sleep 35', { timeoutMs: 300 });
    expect(end).toMatchObject({ kind: 'timed_out', ended: 'confirmed' });
    expect(alive(server, 'sleep 35')).toEqual([]);
  });

  it('A4-052 ends a program that ignores every signal it can', async () => {
    const end = await sh("trap '' TERM HUP INT; while :; do sleep 1; done", { timeoutMs: 300 });
    expect(end).toMatchObject({ kind: 'timed_out', ended: 'confirmed' });
  });

  it('ends a run that is aborted, and says so', async () => {
    const abort = new AbortController();
    const run = sh('sleep 36', { signal: abort.signal });
    setTimeout(() => {
      abort.abort();
    }, 100);
    expect(await run).toMatchObject({ kind: 'aborted', ended: 'confirmed' });
    expect(alive(server, 'sleep 36')).toEqual([]);
  });

  it('starts nothing for a run that is aborted before', async () => {
    await expect(sh('sleep 37', { signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow('gone');
  });

  it('A4-053 shows stdin as ended', async () => {
    expect(await connection.run(['cat'], RUN_LIMITS)).toMatchObject({ kind: 'exited', exitStatus: 0 });
    expect(await connection.run(['grep', 'x'], RUN_LIMITS)).toMatchObject({ kind: 'exited', exitStatus: 1 });
  });

  it('A4-054 cuts at the limit, reads ahead, keeps memory bounded and lets the program end', async () => {
    const end = await connection.run(['head', '-c', '50000000', '/dev/zero'], RUN_LIMITS);
    expect(end).toMatchObject({
      kind: 'exited',
      exitStatus: 0,
      stdoutTruncated: true,
      stdoutEnd: 'cut',
      stderrEnd: 'complete',
    });
    expect(end.stdout).toHaveLength(RUN_LIMITS.maxOutputBytes + RUN_LIMITS.lookAheadBytes);
  });

  it('output of exactly the limit is complete, one byte more is not', async () => {
    const limits = { ...RUN_LIMITS, maxOutputBytes: 1000, lookAheadBytes: 0 };
    const exact = await connection.run(['head', '-c', '1000', '/dev/zero'], limits);
    expect(exact).toMatchObject({ stdoutTruncated: false, stdoutEnd: 'complete' });
    const more = await connection.run(['head', '-c', '1001', '/dev/zero'], limits);
    expect(more).toMatchObject({ stdoutTruncated: true, stdoutEnd: 'cut' });
    expect(more.stdout).toHaveLength(1000);
  });

  it('A4-055 ends endless output at the timeout, cut', async () => {
    const end = await connection.run(['yes'], { ...RUN_LIMITS, timeoutMs: 1000 });
    expect(end).toMatchObject({
      kind: 'timed_out',
      ended: 'confirmed',
      stdoutTruncated: true,
      stdoutEnd: 'cut',
    });
    expect(alive(server, 'yes')).toEqual([]);
  });

  it('A4-056 has a limit for each stream', async () => {
    const end = await sh('head -c 1000000 /dev/zero >&2');
    expect(end).toMatchObject({
      stdoutTruncated: false,
      stderrTruncated: true,
      stdoutEnd: 'complete',
      stderrEnd: 'cut',
    });
    expect(end.stdout).toHaveLength(0);
  });

  it('A4-057 queues what the server has no session for', async () => {
    const ends = await Promise.all(Array.from({ length: 24 }, (_, index) => sh(`sleep 0.1; echo ${index}`)));
    expect(ends.map((end) => end.stdout.toString())).toEqual(
      Array.from({ length: 24 }, (_, index) => `${index}\n`),
    );
  });

  it('A4-058 runs 200 in a row', async () => {
    for (let index = 0; index < 200; index++) {
      expect(await connection.run(['true'], RUN_LIMITS)).toMatchObject({ kind: 'exited', exitStatus: 0 });
    }
  });

  it('keeps the bytes as they came, invalid UTF-8 too', async () => {
    const end = await connection.run(['printf', '\\377\\000\\303'], RUN_LIMITS);
    expect([...end.stdout]).toEqual([0xff, 0, 0xc3]);
  });

  it('takes no run after it was closed', async () => {
    const other = await login(server, 'lk-bash');
    await other.close();
    expect(await other.lost).toEqual({ kind: 'closed' });
    await expect(other.run(['true'], RUN_LIMITS)).rejects.toMatchObject({
      code: 'E_CONNECTION',
      cause: { kind: 'closed' },
    });
  });

  it('a connection that is closed while a run is on reports it as lost, with an unknown end', async () => {
    const other = await login(server, 'lk-bash');
    const run = other.run(['sleep', '39'], RUN_LIMITS);
    await other.run(['true'], RUN_LIMITS);
    await other.close();
    expect(await run).toMatchObject({ kind: 'lost', ended: 'unknown', stdoutEnd: 'cut' });
  });
});

describe.skipIf(!isReal)('A4-051 a root login, where KILL through the channel is ignored', () => {
  // Root's own start-up files are this machine's business.
  const environment = { HOME: '/nonexistent' };
  let server: TestServer;
  beforeAll(async () => {
    server = await openTestServer({ accounts: ['bash'], environment });
  });
  afterAll(async () => {
    await server.close();
  });

  it('ends through timeout(1) on the server', async () => {
    const connection = await login(server, 'root');
    expect(connection.account.uid).toBe(0);
    expect(connection.canEndProcesses).toBe(true);
    const end = await connection.run(['sleep', '40'], { ...RUN_LIMITS, timeoutMs: 1000 });
    expect(end).toMatchObject({ kind: 'timed_out', ended: 'confirmed' });
    expect(alive(server, 'sleep 40')).toEqual([]);
    await connection.close();
  });

  it('is said to have no way where the server has no timeout(1), and an end is unknown then', async () => {
    const bare = await openTestServer({
      accounts: ['bash'],
      environment,
      programs: { timeout: '#!/bin/sh\nexit 125\n' },
    });
    try {
      const connection = await login(bare, 'root');
      expect(connection.canEndProcesses).toBe(false);
      const others = connection.run(['sh', '-c', 'sleep 4; echo done'], RUN_LIMITS);
      const end = await connection.run(['sleep', '41'], { ...RUN_LIMITS, timeoutMs: 200 });
      expect(end).toMatchObject({ kind: 'timed_out', ended: 'unknown', stdoutEnd: 'cut' });
      expect(await connection.lost).toEqual({ kind: 'end_unknown' });
      await expect(connection.run(['true'], RUN_LIMITS)).rejects.toMatchObject({
        cause: { kind: 'end_unknown' },
      });
      expect((await others).stdout.toString()).toBe('done\n');
      expect(alive(bare, 'sleep 41')).not.toEqual([]);
      await connection.close();
    } finally {
      await bare.close();
    }
  });

  it('a shell whose exec runs builtins is refused without timeout(1)', async () => {
    const bare = await openTestServer({ accounts: ['zsh'], programs: { timeout: '#!/bin/sh\nexit 125\n' } });
    try {
      expect(await causeOfLogin(login(bare, 'lk-zsh'))).toMatchObject({
        kind: 'shell_refused',
        shell: 'zsh',
      });
    } finally {
      await bare.close();
    }
  });
});

describe.skipIf(!isReal)('A4-059 a server that allows one session', () => {
  it('makes a second run wait', async () => {
    const server = await openTestServer({ accounts: ['bash'], sshdOptions: ['MaxSessions 1'] });
    try {
      const connection = await login(server, 'lk-bash');
      const ends = await Promise.all(
        [1, 2, 3].map((index) => connection.run(['echo', String(index)], RUN_LIMITS)),
      );
      expect(ends.map((end) => end.stdout.toString())).toEqual(['1\n', '2\n', '3\n']);
      await connection.close();
    } finally {
      await server.close();
    }
  });

  it('that allows none is a clean failure', async () => {
    const server = await openTestServer({ accounts: ['bash'], sshdOptions: ['MaxSessions 0'] });
    try {
      expect(await causeOfLogin(login(server, 'lk-bash'))).toEqual({ kind: 'no_session' });
    } finally {
      await server.close();
    }
  });
});

describe('a run on a server that misbehaves', () => {
  it('A4-047 a channel that closes without a status is no exit, and the connection is not used again', async () => {
    const server = await openHostileServer({
      onLine: (channel) => {
        channel.write('some');
        channel.end();
      },
    });
    try {
      const connection = await login(server, 'x');
      const end = await connection.run(['true'], RUN_LIMITS);
      expect(end).toMatchObject({ kind: 'no_status', ended: 'unknown', stdoutEnd: 'cut' });
      expect(end.exitStatus).toBeUndefined();
      expect(end.signal).toBeUndefined();
      expect(await connection.lost).toEqual({ kind: 'end_unknown' });
    } finally {
      await server.close();
    }
  });

  it('A4-048 output that comes after the exit status is part of it', async () => {
    const server = await openHostileServer({
      onLine: (channel) => {
        channel.exit(0);
        channel.write('first ');
        setTimeout(() => {
          channel.write('last');
          channel.end();
        }, 100);
      },
    });
    try {
      const connection = await login(server, 'x');
      const end = await connection.run(['true'], RUN_LIMITS);
      expect(end).toMatchObject({ kind: 'exited', exitStatus: 0, stdoutEnd: 'complete' });
      expect(end.stdout.toString()).toBe('first last');
      await connection.close();
    } finally {
      await server.close();
    }
  });

  it('A2-036 a line that the server refuses is a clean failure: nothing ran, and the connection stays', async () => {
    const server = await openHostileServer({ onLine: null });
    try {
      const connection = await login(server, 'x');
      const run = connection.run(['echo', "'".repeat(4000)], RUN_LIMITS);
      await expect(run).rejects.toMatchObject({ code: 'E_CONNECTION', cause: { kind: 'line_refused' } });
      await expect(run).rejects.not.toMatchObject({ message: expect.stringContaining("'''") as string });
      await connection.close();
    } finally {
      await server.close();
    }
  });
});
