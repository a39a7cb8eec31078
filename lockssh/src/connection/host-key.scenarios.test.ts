// Scenarios of area A4 about the host key, the handshake and the way to the host: against a real OpenSSH server,
// and a hostile one where OpenSSH does not misbehave.
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHostileServer } from '../test/hostile-server.js';
import { causeOfLogin, login, RUN_LIMITS } from '../test/login.js';
import { requireReal } from '../test/real-parts.js';
import { openTestServer, type TestServer } from '../test/sshd.js';
import type { ConnectionCause } from './connection-fault.js';
import { CONNECTION_LIMITS } from './limits.js';
import { parseHost } from './open-socket.js';
import { openTransport } from './open-transport.js';

const isReal = requireReal(['root', 'sshd', 'ssh-keygen', 'useradd', 'setpriv', 'bash']);
const USER = 'lk-bash';

describe('the only place that connects', () => {
  it('A4-032 is one file, and it always passes a verifier', () => {
    const folder = dirname(fileURLToPath(import.meta.url));
    const files = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
    const connecting = files.filter((name) =>
      /new (?:ssh2\.)?Client\b/u.test(readFileSync(join(folder, name), 'utf8')),
    );
    expect(connecting).toEqual(['open-transport.ts']);
  });

  it('A4-032 fails closed when the check itself throws', async () => {
    const server = await openHostileServer({});
    try {
      const socket = connect(server.port, server.host);
      const opening = openTransport({
        socket,
        user: 'x',
        hostKeyAlgorithms: ['ecdsa-sha2-nistp256'],
        checkHostKey: () => {
          throw new Error('broken');
        },
        authenticate: () => () => ({ kind: 'try', method: { type: 'none', username: 'x' } }),
        limits: CONNECTION_LIMITS,
        signal: null,
      });
      await expect(opening).rejects.toMatchObject({
        code: 'E_CONNECTION',
        cause: { kind: 'handshake_failed' },
      });
      expect(server.authentications).toEqual([]);
    } finally {
      await server.close();
    }
  });
});

describe('A4-033 no word of authentication is sent before the verdict', () => {
  it.each([
    ['unknown', 'host_key_unknown', (): string => ''],
    ['revoked', 'host_key_revoked', (line: string): string => `${line}@revoked ${line}`],
    ['changed', 'host_key_changed', (line: string): string => line.replace(/ \S+\n$/u, ` ${OTHER_KEY}\n`)],
    ['an authority', 'host_key_authority', (line: string): string => `@cert-authority ${line}`],
  ] as const)('%s', async (_name, kind, edit) => {
    const server = await openHostileServer({});
    try {
      const knownHosts = { kind: 'file-only', text: edit(server.knownHosts) } as const;
      expect(await causeOfLogin(login(server, 'x', { knownHosts }))).toMatchObject({ kind });
      expect(server.authentications).toEqual([]);
    } finally {
      await server.close();
    }
  });
});

// The same curve, another point.
const OTHER_KEY =
  'AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBAhezP6j3nZKZzzE7/MV3KRd8uUuvtpoY8pAHvW+V2vQ/mMZXPHwshwgoyQ/ysYZrFANnDubR8DIjpuYexCO6vc=';

describe('A4-066 lines before the identification', () => {
  it('are read over, and not shown', async () => {
    const greeting = Array.from({ length: 20 }, (_, line) => `line ${line} \u001b[31m`).join('\r\n');
    const server = await openHostileServer({ config: { greeting } });
    try {
      const connection = await login(server, 'x');
      expect(connection.shellName).toBe('bash');
      await connection.close();
    } finally {
      await server.close();
    }
  });
});

describe('A4-070 a host that reads as something else', () => {
  it.each([
    '-oProxyCommand=x',
    '',
    'a b',
    'root@web1',
    'ssh://web1',
    'web1:22',
    '[web1]',
    '::1%eth0;x',
    'a\nb',
    'a/b',
    `${'a'.repeat(254)}`,
  ])('%j is no host', async (host) => {
    expect(parseHost(host)).toBeNull();
    const server = { host, port: 22, clientKey: (): Buffer => Buffer.from(''), knownHosts: '' };
    const auth = { kind: 'password', password: Buffer.from('x') } as const;
    expect(await causeOfLogin(login(server, 'x', { auth }))).toEqual({ kind: 'bad_host' });
  });

  it.each(['web1', 'web1.example.com', '10.0.0.5', '::1', '[2001:db8::5]', 'xn--bcher-kva.example', 'a_b'])(
    '%s is one',
    (host) => {
      expect(parseHost(host)).toBe(host.replace(/^\[|\]$/gu, ''));
    },
  );
});

describe('an unreachable host', () => {
  it('is a cause of its own, whose name says why', async () => {
    const server = { host: '127.0.0.1', port: 1, clientKey: (): Buffer => Buffer.from(''), knownHosts: '' };
    const auth = { kind: 'password', password: Buffer.from('x') } as const;
    expect(await causeOfLogin(login(server, 'x', { auth }))).toEqual({
      kind: 'host_unreachable',
      systemCode: 'ECONNREFUSED',
    });
  });
});

describe.skipIf(!isReal)('the host key of a real server', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openTestServer({ accounts: ['bash'], hostKeyTypes: ['ed25519', 'ecdsa', 'rsa'] });
  });
  afterAll(async () => {
    await server.close();
  });

  const lineOf = (type: string): string =>
    server.knownHosts
      .split('\n')
      .filter((line) => line.includes(` ${type} `))
      .join('\n');

  it.each(['ssh-ed25519', 'ecdsa-sha2-nistp256', 'ssh-rsa'])(
    'is asked for in the type that is recorded: %s',
    async (type) => {
      const connection = await login(server, USER, { knownHosts: { kind: 'file-only', text: lineOf(type) } });
      await connection.close();
    },
  );

  it('recorded in a type that the server does not offer is changed, in learn mode too, and nobody is asked', async () => {
    const onlyEd25519 = await openTestServer({ accounts: ['bash'], hostKeyTypes: ['ed25519'] });
    try {
      const text = lineOf('ssh-rsa').replace(`:${server.port}`, `:${onlyEd25519.port}`);
      const asked: unknown[] = [];
      const knownHosts = {
        kind: 'learn' as const,
        text,
        askHostKey: (presented: unknown): Promise<boolean> => {
          asked.push(presented);
          return Promise.resolve(true);
        },
        record: (): Promise<void> => Promise.reject(new Error('recorded')),
      };
      expect(await causeOfLogin(login(onlyEd25519, USER, { knownHosts }))).toMatchObject({
        kind: 'host_key_changed',
      });
      expect(asked).toEqual([]);
    } finally {
      await onlyEd25519.close();
    }
  });

  it('seen for the first time is asked about once, recorded after the yes, and is the only one accepted', async () => {
    const recorded: string[] = [];
    const asked: unknown[] = [];
    const connection = await login(server, USER, {
      knownHosts: {
        kind: 'learn',
        text: '',
        askHostKey: (presented) => {
          asked.push(presented);
          expect(recorded).toEqual([]);
          return Promise.resolve(true);
        },
        record: (line) => {
          recorded.push(line);
          return Promise.resolve();
        },
      },
    });
    await connection.close();
    expect(asked).toHaveLength(1);
    expect(recorded).toEqual([`${lineOf('ssh-ed25519')}\n`]);
  });

  it('A4-072 is not trusted without a yes: declined, and nothing recorded', async () => {
    const before = server.log().length;
    const cause = await causeOfLogin(
      login(server, USER, {
        knownHosts: {
          kind: 'learn',
          text: '',
          askHostKey: () => Promise.resolve(false),
          record: () => Promise.reject(new Error('recorded')),
        },
      }),
    );
    expect(cause).toMatchObject({ kind: 'host_key_declined', type: 'ssh-ed25519' });
    expect(server.log().slice(before)).not.toMatch(/Accepted|Failed/u);
  });

  it('A4-071 the next address is tried when the first does not answer', async () => {
    const connection = await login(server, USER, {
      host: 'web1.test',
      knownHosts: { kind: 'file-only', text: server.knownHosts.replaceAll('127.0.0.1', 'web1.test') },
      lookup: (_host, _options, callback) => {
        callback(null, [
          { address: '127.0.0.77', family: 4 },
          { address: server.host, family: 4 },
        ] as never);
      },
    });
    expect((await connection.run(['echo', 'here'], RUN_LIMITS)).stdout.toString()).toBe('here\n');
    await connection.close();
  });

  it.each([
    [
      'A4-067 a server that has nothing but chacha20-poly1305 is refused',
      'Ciphers chacha20-poly1305@openssh.com',
    ],
    ['A4-068 a server with a weak key exchange is refused', 'KexAlgorithms diffie-hellman-group1-sha1'],
    ['a server that signs with SHA-1 alone is refused', 'HostKeyAlgorithms ssh-rsa'],
    ['a server with SHA-1 MACs alone is refused', 'MACs hmac-sha1\nCiphers aes128-ctr'],
  ])('%s', async (_name, options) => {
    const weak = await openTestServer({
      accounts: ['bash'],
      hostKeyTypes: [options.includes('ssh-rsa') ? 'rsa' : 'ed25519'],
      sshdOptions: options.split('\n'),
    });
    try {
      const cause: ConnectionCause = await causeOfLogin(login(weak, USER));
      expect(cause.kind).toBe('handshake_failed');
    } finally {
      await weak.close();
    }
  });

  it('a login that is aborted opens nothing', async () => {
    const signal = AbortSignal.abort();
    expect(await causeOfLogin(login(server, USER, { signal }))).toEqual({ kind: 'aborted' });
  });
});
