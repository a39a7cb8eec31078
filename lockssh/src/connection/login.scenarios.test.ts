// Scenarios of areas A2 and A4 about the account behind the login: its shell, its start-up files, who it is.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decideShell } from '../remote-line/proved-shells.js';
import { endWell, openHostileServer } from '../test/hostile-server.js';
import { causeOfLogin, login, RUN_LIMITS } from '../test/login.js';
import { requireReal } from '../test/real-parts.js';
import { openTestServer, type TestServer } from '../test/sshd.js';

const HOMES = '/var/lib/locks-test/home';
const isReal = requireReal([
  'root',
  'sshd',
  'ssh-keygen',
  'useradd',
  'setpriv',
  'bash',
  'rbash',
  'fish',
  'tcsh',
  'zsh',
  'mksh',
]);

describe('a login shell that was not proved', () => {
  it.each([
    ['A2-052', '/bin/rbash'],
    ['A2-053', '/usr/bin/rc'],
    ['A2-054', '/usr/bin/pwsh'],
    ['A2-054', '/opt/microsoft/powershell/7/pwsh'],
    ['A2-055', 'C:\\Windows\\System32\\cmd.exe'],
    ['A2-056', '/usr/bin/xonsh'],
    ['A2-057', '/usr/sbin/clish'],
    ['A2-058', '/usr/bin/git-shell'],
    ['elvish', '/usr/bin/elvish'],
    ['nushell', '/usr/bin/nu'],
    ['csh', '/bin/csh'],
    ['yash', '/usr/bin/yash'],
    ['a name of Object', '/bin/constructor'],
    ['nothing', ''],
  ])('%s is refused by its name, with a reason: %s', (_id, path) => {
    expect(decideShell(path)).toMatchObject({
      kind: 'refused',
      reason: expect.stringMatching(/\w{3}/u) as string,
    });
  });

  it.each(['/usr/bin/pwsh', '/usr/bin/rc', '/usr/bin/nu', '/opt/odd'])(
    'A2-053 A2-054 %s hears one fixed line and nothing else',
    async (path) => {
      const named = await openHostileServer({ onLine: null, answerShell: path });
      try {
        expect(await causeOfLogin(login(named, 'x'))).toMatchObject({ kind: 'shell_refused' });
        expect(named.lines).toEqual(['echo $SHELL']);
      } finally {
        await named.close();
      }
    },
  );

  it('is told in printable characters', async () => {
    const server = await openHostileServer({ answerShell: '/bin/a\u001b[31mb' });
    try {
      expect(await causeOfLogin(login(server, 'x'))).toMatchObject({
        kind: 'shell_refused',
        shell: '(unnamed)',
      });
    } finally {
      await server.close();
    }
  });
});

describe.skipIf(!isReal)('an account on a real server', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openTestServer({
      accounts: [
        'fish',
        'tcsh',
        { name: 'lk-restricted', shell: '/bin/rbash' },
        { name: 'lk-git', shell: '/usr/bin/git-shell' },
        {
          name: 'lk-appliance',
          shell: '/var/lib/locks-test/home/lk-appliance/cli',
          files: { cli: APPLIANCE },
        },
        { name: 'lk-liar', shell: '/var/lib/locks-test/home/lk-liar/bash', files: { bash: LIAR } },
        { name: 'lk-history', shell: 'tcsh', files: { '.cshrc': 'set histchars="%^"\n' } },
        {
          name: 'lk-noisy',
          shell: 'bash',
          files: { '.bashrc': "echo Welcome\necho 0\nprintf 'no newline 0'\n" },
        },
        { name: 'lk-functions', shell: 'zsh', files: { '.zshenv': 'echo hello\nuptime() { echo mine }\n' } },
        { name: 'lk-slow', shell: 'bash', files: { '.bashrc': 'sleep 60\n' } },
        { name: 'lk-quiet', shell: 'bash', files: { '.bashrc': 'exec >/dev/null\n' } },
        { name: 'lk-sh-mksh', shell: `${HOMES}/lk-sh-mksh/sh`, files: { sh: shellNamedSh('/usr/bin/mksh') } },
        { name: 'lk-sh-zsh', shell: `${HOMES}/lk-sh-zsh/sh`, files: { sh: shellNamedSh('/usr/bin/zsh') } },
        { name: 'lk-leaving', shell: 'bash', files: { '.bashrc': 'exit 0\n' } },
      ],
    });
  });
  afterAll(async () => {
    await server.close();
  });

  it.each([
    ['A2-052 a restricted shell', 'lk-restricted', 'shell_refused'],
    ['A2-057 a command line of an appliance', 'lk-appliance', 'shell_refused'],
    ['A2-058 git-shell', 'lk-git', 'shell_refused'],
    ['a shell that calls itself bash and changes a backslash', 'lk-liar', 'known_answer_wrong'],
    ['tcsh with another history character', 'lk-history', 'known_answer_wrong'],
    ['start-up files that swallow the output', 'lk-quiet', 'shell_refused'],
    ['start-up files that leave', 'lk-leaving', 'shell_refused'],
  ])('%s is refused', async (_name, user, kind) => {
    expect(await causeOfLogin(login(server, user))).toMatchObject({ kind });
  });

  it.each([
    ['A2-059', 'lk-fish'],
    ['A2-060', 'lk-tcsh'],
  ])('%s %s runs the argv of the user, byte for byte', async (_id, user) => {
    const connection = await login(server, user);
    const nasty = ['\\', '(touch PWN) #', '!!', "'", "\\'; touch PWN #", '!#:2', '$(touch PWN)'];
    const end = await connection.run(['printf', '%s\\n', ...nasty], RUN_LIMITS);
    expect(end.stdout.toString()).toBe(nasty.map((text) => `${text}\n`).join(''));
    const list = await connection.run(['ls'], RUN_LIMITS);
    expect(list.stdout.toString()).toBe('');
    await connection.close();
  });

  it.each(['lk-sh-mksh', 'lk-sh-zsh'])(
    'a shell that only calls itself sh runs no builtin either: %s',
    async (user) => {
      const connection = await login(server, user);
      expect(connection.shellName).toBe('sh');
      expect(await connection.run(['eval', 'touch PWN'], RUN_LIMITS)).toMatchObject({
        kind: 'exited',
        exitStatus: 127,
      });
      const echo = await connection.run(['echo', 'a\\tb'], RUN_LIMITS);
      expect(echo.stdout.toString()).toBe('a\\tb\n');
      const list = await connection.run(['ls'], RUN_LIMITS);
      expect(list.stdout.toString()).toBe('sh\n');
      await connection.close();
    },
  );

  it('a login that is given up while its shell is asked ends as aborted', async () => {
    const abort = new AbortController();
    const opening = login(server, 'lk-slow', { signal: abort.signal });
    const started = waitFor(() => server.processes().some(({ command }) => command.includes('sleep 60')));
    await started;
    abort.abort();
    expect(await causeOfLogin(opening)).toEqual({ kind: 'aborted' });
  });

  it('A4-060 what start-up files print is part of the output', async () => {
    const connection = await login(server, 'lk-noisy');
    const end = await connection.run(['echo', 'mine'], RUN_LIMITS);
    expect(end.stdout.toString()).toBe('Welcome\n0\nno newline 0mine\n');
    await connection.close();
  });

  it('A4-061 and does not change who we are', async () => {
    const connection = await login(server, 'lk-noisy');
    expect(connection.account.uid).toBe(server.account('lk-noisy').uid);
    await connection.close();
  });

  it('A2-047 a function of the start-up files is not run in place of the file', async () => {
    const connection = await login(server, 'lk-functions');
    const end = await connection.run(['uptime'], RUN_LIMITS);
    expect(end.stdout.toString()).toMatch(/^hello\n.*up .*load average/u);
    await connection.close();
  });

  it('A4-062 a forced command is refused', async () => {
    const forced = await openTestServer({ accounts: ['bash'], sshdOptions: ['ForceCommand echo 0'] });
    try {
      expect(await causeOfLogin(login(forced, 'lk-bash'))).toMatchObject({ kind: 'shell_refused' });
    } finally {
      await forced.close();
    }
  });

  it('A4-062 an id -u that answers anything but a number is refused', async () => {
    const id = '#!/bin/sh\ncat "$HOME/answer"\n';
    const odd = await openTestServer({ accounts: ['bash'], programs: { id } });
    const answer = join(odd.account('lk-bash').home, 'answer');
    try {
      for (const text of ['root', '-1', '00', '1000 ', '', '12345678901', '0\n0']) {
        writeFileSync(answer, `${text}\n`);
        expect(await causeOfLogin(login(odd, 'lk-bash'))).toEqual({ kind: 'account_unknown' });
      }
    } finally {
      rmSync(answer, { force: true });
      await odd.close();
    }
  });
});

/** A login shell that is another one under the name of sh. */
function shellNamedSh(path: string): string {
  return `#!/bin/sh\nexec ${path} "$@"\n`;
}

async function waitFor(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 20));
}

const APPLIANCE = "#!/bin/sh\necho 'Type help for commands.'\necho '% Invalid input'\n";
// Answers the first question as bash does, and drops a backslash of the line it is given then.
const LIAR = `#!/bin/sh
[ "$2" = 'echo $SHELL' ] && exec echo /bin/bash
exec /bin/bash -c "$(printf '%s' "$2" | sed 's/.\\\\\\\\$//; s/\\\\\\\\\\\\\\\\/\\\\\\\\/')"
`;

describe('the login', () => {
  it('sends no line twice with the same nonce, and no line but its own', async () => {
    const server = await openHostileServer({ onLine: (channel) => endWell(channel, '') });
    try {
      await (await login(server, 'x')).close();
      await (await login(server, 'x')).close();
      const nonces = server.lines.flatMap((line) => /lk-([0-9a-f]{32})-begin/u.exec(line)?.[1] ?? []);
      expect(new Set(nonces).size).toBe(2);
      expect(
        server.lines.filter(
          (line) => !/^echo \$SHELL$|^exec '(?:eval|sleep|timeout|printf|sh)' /u.test(line),
        ),
      ).toEqual([]);
    } finally {
      await server.close();
    }
  });
});
