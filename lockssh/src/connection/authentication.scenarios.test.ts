// Scenarios of area A4 about the login: passwords, prompts, keys and their files' forms.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuthContext, KeyboardAuthContext } from 'ssh2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHostileServer, type HostileServer } from '../test/hostile-server.js';
import { causeOfLogin, login } from '../test/login.js';
import { requireReal } from '../test/real-parts.js';
import { openTestServer, type TestServer } from '../test/sshd.js';
import { ConnectionFault } from './connection-fault.js';
import { parsePrivateKey } from './private-key.js';

const isReal = requireReal(['root', 'sshd', 'ssh-keygen', 'useradd', 'setpriv', 'bash']);
const USER = 'lk-bash';
const SECRET = 'correct horse \u00e9';

const password = (text: string): { readonly kind: 'password'; readonly password: Buffer } => ({
  kind: 'password',
  password: Buffer.from(text),
});

function promptServer(onPrompted: (context: KeyboardAuthContext) => void): Promise<HostileServer> {
  return openHostileServer({
    onAuthentication: (context: AuthContext) => {
      if (context.method === 'keyboard-interactive') onPrompted(context as KeyboardAuthContext);
      else context.reject(['keyboard-interactive']);
    },
  });
}

describe('a server that asks its own questions', () => {
  it('A4-034 never gets its words shown', async () => {
    const evil = 'Password\u001b]0;owned\u0007:';
    const server = await promptServer((context) => {
      context.prompt([{ prompt: evil, echo: true }], evil, evil, () => {
        context.accept();
      });
    });
    try {
      const fault = await login(server, 'x', { auth: password(SECRET) }).catch((error: unknown) => error);
      expect(fault).toBeInstanceOf(ConnectionFault);
      expect((fault as ConnectionFault).cause).toEqual({ kind: 'auth_prompt' });
      expect((fault as ConnectionFault).message).not.toContain('owned');
    } finally {
      await server.close();
    }
  });

  it('A4-036 and that asks nothing first, gets no answer to it and the password to the hidden prompt', async () => {
    const answers: string[][] = [];
    const server = await promptServer((context) => {
      context.prompt([], (none) => {
        answers.push([...(none as unknown as string[])]);
        context.prompt([{ prompt: 'Password: ', echo: false }], (one) => {
          answers.push([...(one as unknown as string[])]);
          context.accept();
        });
      });
    });
    try {
      await (await login(server, 'x', { auth: password(SECRET) })).close();
      expect(answers).toEqual([[], [SECRET]]);
    } finally {
      await server.close();
    }
  });

  it.each([
    ['a visible prompt', [[{ prompt: 'Password: ', echo: true }]], 'auth_prompt', 0],
    [
      'two prompts at once',
      [
        [
          { prompt: 'a', echo: false },
          { prompt: 'b', echo: false },
        ],
      ],
      'auth_prompt',
      0,
    ],
    [
      'a second hidden prompt',
      [[{ prompt: 'a', echo: false }], [{ prompt: 'Code', echo: false }]],
      'auth_two_step',
      1,
    ],
  ] as const)('never gets the password for %s', async (_name, rounds, kind, sent) => {
    let answered = 0;
    const server = await promptServer((context) => {
      const ask = (round: number): void => {
        context.prompt([...(rounds[round] ?? [])], () => {
          answered++;
          if (round + 1 < rounds.length) ask(round + 1);
          else context.accept();
        });
      };
      ask(0);
    });
    try {
      expect(await causeOfLogin(login(server, 'x', { auth: password(SECRET) }))).toEqual({ kind });
      expect(answered).toBe(sent);
    } finally {
      await server.close();
    }
  });
});

describe.skipIf(!isReal)('a login to a real server', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openTestServer({ accounts: ['bash'] });
  });
  afterAll(async () => {
    await server.close();
  });

  it('by password works, and the buffer is wiped', async () => {
    const auth = password(server.account(USER).password);
    await (await login(server, USER, { auth })).close();
    expect(auth.password.every((byte) => byte === 0)).toBe(true);
  });

  it('with a wrong password is auth_failed after one try, and the buffer is wiped', async () => {
    const before = server.log().length;
    const auth = password('wrong');
    expect(await causeOfLogin(login(server, USER, { auth }))).toEqual({ kind: 'auth_failed' });
    expect(auth.password.every((byte) => byte === 0)).toBe(true);
    expect(
      server
        .log()
        .slice(before)
        .match(/Failed password/gu),
    ).toHaveLength(1);
  });

  it('with a key that is not authorised is auth_failed', async () => {
    const key = makeKey('stranger', 'ed25519', '');
    expect(await causeOfLogin(login(server, USER, { auth: { kind: 'key', privateKey: key } }))).toEqual({
      kind: 'auth_failed',
    });
  });

  it('A4-035 by password works where only keyboard-interactive is offered', async () => {
    const options = [
      'UsePAM yes',
      'PasswordAuthentication no',
      'KbdInteractiveAuthentication yes',
      'AuthenticationMethods keyboard-interactive',
    ];
    const asking = await openTestServer({ accounts: ['bash'], sshdOptions: options });
    try {
      await (await login(asking, USER, { auth: password(asking.account(USER).password) })).close();
    } finally {
      await asking.close();
    }
  });

  it('A4-037 that needs a second step is a clean failure, said so', async () => {
    const twoStep = await openTestServer({
      accounts: ['bash'],
      sshdOptions: ['AuthenticationMethods publickey,password'],
    });
    try {
      expect(await causeOfLogin(login(twoStep, USER))).toEqual({ kind: 'auth_two_step' });
    } finally {
      await twoStep.close();
    }
  });

  it('by password where only keys are taken names what is offered', async () => {
    const keysOnly = await openTestServer({ accounts: ['bash'], sshdOptions: ['PasswordAuthentication no'] });
    try {
      const auth = password('x');
      expect(await causeOfLogin(login(keysOnly, USER, { auth }))).toEqual({
        kind: 'auth_not_offered',
        offered: ['publickey'],
      });
    } finally {
      await keysOnly.close();
    }
  });

  it.each([
    ['ed25519', 'aes256-ctr'],
    ['ed25519', 'aes256-gcm@openssh.com'],
    ['rsa', 'aes256-ctr'],
    ['ecdsa', 'aes128-cbc'],
  ])('with an encrypted %s key (%s) works, and both buffers are wiped', async (type, cipher) => {
    const privateKey = makeKey(`in-${type}-${cipher.slice(0, 10)}`, type, SECRET, ['-Z', cipher]);
    const authorizedKey = readFileSync(`${pathOf(`in-${type}-${cipher.slice(0, 10)}`)}.pub`, 'utf8');
    const own = await openTestServer({ accounts: ['bash'], authorizedKey });
    const passphrase = Buffer.from(SECRET);
    try {
      await (await login(own, USER, { auth: { kind: 'key', privateKey, passphrase } })).close();
      expect([...privateKey, ...passphrase].every((byte) => byte === 0)).toBe(true);
    } finally {
      await own.close();
    }
  });
});

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lk-keys-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const pathOf = (name: string): string => join(folder, name);

function makeKey(name: string, type: string, passphrase: string, more: readonly string[] = []): Buffer {
  execFileSync('ssh-keygen', ['-q', '-t', type, '-N', passphrase, '-C', '', '-f', pathOf(name), ...more]);
  return readFileSync(pathOf(name));
}

function causeOfKey(file: Buffer, passphrase: Buffer | null): ConnectionFault['cause'] | null {
  try {
    parsePrivateKey(file, passphrase);
    return null;
  } catch (error) {
    if (!(error instanceof ConnectionFault)) throw error;
    expect(error.message).not.toContain(SECRET);
    expect(error.message).not.toContain('hunter2');
    return error.cause;
  }
}

describe.skipIf(!requireReal(['ssh-keygen']))('parsePrivateKey', () => {
  const wrong = Buffer.from('hunter2');

  it.each([
    ['OpenSSH', []],
    ['old PEM', ['-m', 'PEM']],
  ])('A4-038 says wrong passphrase, and never says the passphrase: %s', (name, more) => {
    const file = makeKey(`locked-${name.slice(0, 3)}`, 'rsa', SECRET, more);
    expect(causeOfKey(file, wrong)).toEqual({ kind: 'wrong_passphrase' });
    expect(causeOfKey(file, Buffer.from(SECRET))).toBeNull();
  });

  it('A4-039 says that a key needs a passphrase', () => {
    expect(causeOfKey(makeKey('needs', 'ed25519', SECRET), null)).toEqual({ kind: 'passphrase_needed' });
    expect(causeOfKey(makeKey('needs-pem', 'rsa', SECRET, ['-m', 'PEM']), null)).toEqual({
      kind: 'passphrase_needed',
    });
  });

  it.each([
    ['A4-040', ''],
    ['A4-041', SECRET],
  ])('%s names the conversion of a PKCS#8 key', (id, passphrase) => {
    const file = makeKey(`pkcs8-${id}`, 'rsa', passphrase, ['-m', 'PKCS8']);
    expect(causeOfKey(file, passphrase === '' ? null : Buffer.from(passphrase))).toEqual({
      kind: 'key_unsupported',
      format: 'pkcs8',
    });
  });

  it.each([
    'PuTTY-User-Key-File-2: ecdsa-sha2-nistp256\nEncryption: none\n',
    'PuTTY-User-Key-File-3: ssh-ed25519\n',
  ])('A4-042 names the conversion of a PuTTY key', (text) => {
    expect(causeOfKey(Buffer.from(text), null)).toEqual({ kind: 'key_unsupported', format: 'putty' });
  });

  it('A4-043 reads a key with CRLF lines, without its last newline, or with a byte order mark', () => {
    for (const type of ['ed25519', 'ecdsa']) {
      const text = makeKey(`edited-${type}`, type, '').toString('latin1');
      for (const edited of [
        text.replaceAll('\n', '\r\n'),
        text.trimEnd(),
        `\u00ef\u00bb\u00bf${text}`,
        `\n${text}\n\n`,
      ]) {
        expect(causeOfKey(Buffer.from(edited, 'latin1'), null)).toBeNull();
      }
    }
  });

  it('says which cipher cannot be read instead of blaming the passphrase', () => {
    const file = makeKey('chacha', 'ed25519', SECRET, ['-Z', 'chacha20-poly1305@openssh.com']);
    expect(causeOfKey(file, Buffer.from(SECRET))).toEqual({ kind: 'key_unsupported', format: 'cipher' });
  });

  it('refuses what is no private key', () => {
    const publicKey = readFileSync(`${pathOf('needs')}.pub`);
    for (const file of [Buffer.alloc(0), Buffer.from('hello'), publicKey, Buffer.alloc(70_000, 0x41)]) {
      expect(causeOfKey(file, null)).toEqual({ kind: 'key_unsupported', format: 'other' });
    }
  });

  it('refuses a key whose bytes were cut or changed, and does not throw anything else', () => {
    const file = makeKey('whole', 'ed25519', '');
    for (let at = 60; at < file.length; at += 7) {
      expect(causeOfKey(file.subarray(0, at), null)?.kind ?? 'read').toBe('key_unsupported');
    }
  });

  it('never signs with SHA-1', () => {
    const key = parsePrivateKey(makeKey('sha', 'rsa', ''), null);
    expect(key.sign(Buffer.from('x'))).toBeInstanceOf(Error);
    expect(key.sign(Buffer.from('x'), 'sha1')).toBeInstanceOf(Error);
    expect(key.sign(Buffer.from('x'), 'sha256')).toBeInstanceOf(Buffer);
  });
});
