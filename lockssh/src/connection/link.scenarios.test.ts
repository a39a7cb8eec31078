// Scenarios of area A4 about the link itself: silence, keepalives, new keys in the middle, channels of the server.
import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Connection as ServerConnection } from 'ssh2';
import { endWell, openHostileServer } from '../test/hostile-server.js';
import { login, RUN_LIMITS } from '../test/login.js';
import { requireReal } from '../test/real-parts.js';
import { openTestServer } from '../test/sshd.js';

const isReal = requireReal(['root', 'sshd', 'ssh-keygen', 'useradd', 'setpriv', 'bash']);

/** Every process below one, the deepest last. */
function descendants(pid: number): readonly number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name))
    .filter((name) => parentOf(name) === pid)
    .map(Number);
  return children.flatMap((child) => [child, ...descendants(child)]);
}

function parentOf(pid: string): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0;
  }
}

describe.skipIf(!isReal)('a link to a real server', () => {
  it('A4-063 that goes silent is lost by keepalive, and a run on it is lost with an unknown end', async () => {
    const server = await openTestServer({ accounts: ['bash'] });
    const stopped: number[] = [];
    try {
      const connection = await login(server, 'lk-bash', {
        limits: { keepaliveIntervalMs: 300, keepaliveCount: 2 },
      });
      const run = connection.run(['sleep', '30'], RUN_LIMITS);
      for (const pid of descendants(server.pid)) {
        process.kill(pid, 'SIGSTOP');
        stopped.push(pid);
      }
      expect(await connection.lost).toMatchObject({ kind: 'lost' });
      expect(await run.catch((error: unknown) => error)).toMatchObject({});
      await expect(connection.run(['true'], RUN_LIMITS)).rejects.toMatchObject({ cause: { kind: 'lost' } });
    } finally {
      for (const pid of stopped) resume(pid);
      await server.close();
    }
  });

  it('A4-065 that changes its keys in the middle of the output loses nothing', async () => {
    const server = await openTestServer({ accounts: ['bash'], sshdOptions: ['RekeyLimit 1M'] });
    try {
      const connection = await login(server, 'lk-bash');
      const size = 12_000_000;
      const script = `i=0; while [ $i -lt 150 ]; do head -c 80000 /dev/zero; i=$((i+1)); done`;
      const end = await connection.run(['sh', '-c', script], {
        ...RUN_LIMITS,
        timeoutMs: 100_000,
        maxOutputBytes: size,
        lookAheadBytes: 0,
      });
      expect(end).toMatchObject({ kind: 'exited', exitStatus: 0, stdoutEnd: 'complete' });
      expect(end.stdout).toHaveLength(size);
      await connection.close();
    } finally {
      await server.close();
    }
  });

  it('whose server ends says so once', async () => {
    const server = await openTestServer({ accounts: ['bash'] });
    const connection = await login(server, 'lk-bash');
    const run = connection.run(['sleep', '30'], RUN_LIMITS);
    await connection.run(['true'], RUN_LIMITS);
    for (const pid of descendants(server.pid)) process.kill(pid, 'SIGKILL');
    expect(await connection.lost).toMatchObject({ kind: 'lost' });
    expect((await run).ended).toBe('unknown');
    expect((await run).kind).toBe('lost');
    await connection.close();
    await server.close();
  });
});

function resume(pid: number): void {
  try {
    process.kill(pid, 'SIGCONT');
  } catch {
    // It is gone.
  }
}

describe('a server that misbehaves on the link', () => {
  it('A4-064 a keepalive that is answered with a failure is answered', async () => {
    let answered = 0;
    let enough: () => void = () => undefined;
    const many = new Promise<void>((resolve) => (enough = resolve));
    const server = await openHostileServer({
      onLine: (channel) => {
        endWell(channel, 'here');
      },
      // The server half answers every global request that it does not know with a failure, and tells only here.
      config: {
        debug: (text) => {
          if (text.includes('GLOBAL_REQUEST (keepalive') && ++answered === 6) enough();
        },
      },
    });
    try {
      const connection = await login(server, 'x', { limits: { keepaliveIntervalMs: 50, keepaliveCount: 1 } });
      await many;
      expect((await connection.run(['true'], RUN_LIMITS)).stdout.toString()).toBe('here');
      await connection.close();
    } finally {
      await server.close();
    }
  });

  it('A4-069 no channel that the server opens towards us is accepted', async () => {
    const refused: string[] = [];
    let connectionOfServer: ServerConnection | null = null;
    const server = await openHostileServer({
      onLine: (channel) => {
        endWell(channel, 'here');
      },
      onReady: (connection) => (connectionOfServer = connection),
    });
    try {
      const connection = await login(server, 'x');
      for (const open of openersOf(connectionOfServer)) refused.push(await open());
      expect(refused).toEqual(['refused', 'refused', 'refused', 'refused']);
      expect((await connection.run(['true'], RUN_LIMITS)).stdout.toString()).toBe('here');
      await connection.close();
    } finally {
      await server.close();
    }
  });
});

type Opened = (error: Error | undefined) => void;

function openersOf(server: ServerConnection | null): readonly (() => Promise<string>)[] {
  if (server === null) throw new Error('no connection');
  const inside = server as unknown as {
    readonly _chanMgr: { readonly add: (callback: Opened & { readonly type: string }) => number };
    readonly _protocol: { readonly openssh_authAgent: (id: number, window: number, packet: number) => void };
  };
  const ways: readonly ((callback: Opened) => void)[] = [
    (callback) => server.forwardOut('127.0.0.1', 1, '127.0.0.1', 2, callback as never),
    (callback) => server.x11('127.0.0.1', 3, callback as never),
    (callback) => server.openssh_forwardOutStreamLocal('/tmp/x', callback as never),
    (callback) => {
      const id = inside._chanMgr.add(Object.assign(callback, { type: 'auth-agent@openssh.com' }));
      inside._protocol.openssh_authAgent(id, 1 << 21, 1 << 15);
    },
  ];
  return ways.map(
    (way) => () =>
      new Promise((resolve) => {
        way((error) => {
          resolve(error === undefined ? 'accepted' : 'refused');
        });
      }),
  );
}
