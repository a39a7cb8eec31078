// The connection against the real OpenSSH server: every login shell, the known answer, and what a run returns.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requireReal } from '../test/real-parts.js';
import { LOGIN_SHELLS, openTestServer, type TestServer } from '../test/sshd.js';
import type { Connection } from './connection.js';
import { openConnection, type ConnectionOptions } from './open-connection.js';

const LIMITS = { timeoutMs: 20_000, maxOutputBytes: 65_536, lookAheadBytes: 65_536 };
const isReal = requireReal([
  'root',
  'sshd',
  'ssh-keygen',
  'useradd',
  'dash',
  'bash',
  'zsh',
  'fish',
  'tcsh',
  'mksh',
  'ksh93',
  'busybox',
]);

function login(server: TestServer, user: string, more: Partial<ConnectionOptions> = {}): Promise<Connection> {
  return openConnection({
    host: server.host,
    port: server.port,
    user,
    auth: { kind: 'key', privateKey: server.clientKey() },
    knownHosts: { kind: 'file-only', text: server.knownHosts },
    ...more,
  });
}

describe.skipIf(!isReal)('openConnection with a real login shell', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openTestServer({ accounts: LOGIN_SHELLS });
  });
  afterAll(async () => {
    await server.close();
  });

  it.each(LOGIN_SHELLS)(
    '%s: passes the known answer, names the account, runs and ends processes',
    async (shell) => {
      const account = server.account(shell);
      const connection = await login(server, account.name);
      try {
        expect(connection.account).toEqual({ user: account.name, uid: account.uid });
        expect(connection.shellName).toBe(shell);
        expect(connection.canEndProcesses).toBe(true);
        const end = await connection.run(['printf', '%s|', "it's", '\\', '!!', '$HOME', 'é'], LIMITS);
        expect(end).toMatchObject({
          kind: 'exited',
          exitStatus: 0,
          ended: 'confirmed',
          stdoutEnd: 'complete',
        });
        expect(end.stdout.toString('utf8')).toBe("it's|\\|!!|$HOME|é|");
        const late = await connection.run(['sleep', '30'], { ...LIMITS, timeoutMs: 200 });
        expect(late).toMatchObject({ kind: 'timed_out', ended: 'confirmed', stdoutEnd: 'cut' });
        expect(server.processes().filter(({ command }) => command.includes('sleep 30'))).toEqual([]);
      } finally {
        await connection.close();
      }
    },
  );
});
