// The account boundary of lockfile: installed by its own command, its console and the files in one real account, the
// agent in another. One bit comes back; what the agent must not reach is tried, each attempt with the reason it must
// fail for; and a console that is killed in the middle of a run leaves nothing behind.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { requireReal } from '@lockkit/conformance/real-sshd';
import { attemptsOnConsole, notPossible, notStopped } from 'lockkit/console-attempts';
import type { Ran, TestPerson } from 'lockkit/two-accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attemptsOnRun, type AttackedRun } from './agent-attempts.js';
import {
  HANGS,
  KEY,
  MARKER,
  openInstalledLockfile,
  OUTSIDE,
  PROJECT,
  type AgentRan,
  type InstalledLockfile,
} from './installed-lockfile.js';
import { childrenOf, isAlive } from './processes.js';

const isReal = requireReal(['root', 'useradd', 'setpriv', 'tmux']);
const ROOT: TestPerson = { name: 'root', uid: 0, gid: 0, home: '/root' };

let lock: InstalledLockfile;

beforeAll(async () => {
  if (isReal) lock = await openInstalledLockfile();
}, 30 * 60_000);
afterAll(() => lock?.close(), 120_000);

const sh = (who: TestPerson, script: string): Ran => lock.two.runAs(who, ['sh', '-c', script]);

/** The screen that is up, without the columns that the terminal filled, who asked, and what this machine lacks. */
function shownScreen(): readonly string[] {
  const lines = lock
    .pane()
    .text()
    .split('\n')
    .map((line) => line.trimEnd());
  const start = lines.findIndex((line) => line.startsWith('╭─'));
  const end = lines.findIndex((line, at) => at > start && line.startsWith('╰─'));
  const screen = lines.slice(start, end + 1);
  const warning = screen.findIndex((line) => line.includes('▲ clients can see this account’s processes'));
  return warning < 0 ? screen : screen.toSpliced(warning - 1, 2);
}

function attackedRun(plugin: number): AttackedRun {
  return {
    console: lock.pane().program(),
    plugin,
    workspace: lock.state('workspace'),
    copy: lock.fetched()[0] as string,
    plugins: join(lock.two.console.home, '.local/share/lockfile/plugins'),
    project: PROJECT,
    key: KEY,
    outside: OUTSIDE,
  };
}

const verifyAudit = (): Ran =>
  lock.two.runAs(lock.two.console, ['lockfile', 'audit', 'verify', '--json', '--profile', 'samples'], {
    cwd: PROJECT,
  });

describe.runIf(isReal)('two accounts', () => {
  test('the console starts in its own account, says its desktop level, and shows no line that lockfile has no file for', async () => {
    await lock.pane().shows(/desktop level [123]: /);
    await lock.pane().shows('Approve this policy? [y/N]');
    expect(lock.pane().text()).toContain('limits.answer_quantum');
    expect(lock.pane().text()).not.toContain('pii');
    await lock.answer('Approve this policy? [y/N]', 'y');
    await lock.pane().shows('ready: the agent may ask now');
  });

  test('the agent asks, the human sees the page’s screen and says y, two plugins answer, 1s and 0s come back', async () => {
    const intent = 'check the invoice reported as blank';
    const plugins = ['--plugin', 'file.non-empty', '--plugin', 'format.is-pdf'];
    const asked = lock.agentAsks('plan', '--key', KEY, ...plugins, '--run', '--intent', intent);
    await lock.pane().shows('Approve? [y/N]');
    const [title, origin, ...rest] = shownScreen();
    expect(title).toBe('╭─ SAMPLES · file plan · 2 answers ─────');
    expect(origin).toMatch(
      new RegExp(
        `^│ requested by uid ${lock.two.agent.uid} \\(${lock.two.agent.name}\\) · pid [0-9]+ · exe `,
      ),
    );
    expect(rest.join('\n')).toBe(`│ agent: ${intent}
│
│ key    ${KEY}
│
│ file.non-empty@1.0.0  (official, unsigned)
│   ? Does the file contain at least one byte?   1 = size > 0   0 = the file is empty
│ format.is-pdf@1.0.0  (official, unsigned)
│   ? Does the file start like a PDF?   1 = \`%PDF-\` appears within the first 1024 bytes   0 = no PDF header
│
│ this plan reveals at most 2 answers about the file
╰─ Approve? [y/N]`);
    expect(lock.fetched()).toEqual([]);
    await lock.answer('Approve? [y/N]', 'y');
    const { exit, json } = await asked;
    expect(exit).toBe(0);
    expect(json).toEqual({
      handle: expect.stringMatching(/^f_[0-9A-Za-z]{6}$/) as string,
      answers: [
        { plugin: 'file.non-empty', version: '1.0.0', result: 1 },
        { plugin: 'format.is-pdf', version: '1.0.0', result: 0 },
      ],
    });
    const again = await lock.agentAsks('answers', json.handle as string);
    expect(again).toEqual({ exit: 0, json });
    expect(lock.fetched()).toHaveLength(1);
  });

  describe('while a plugin runs', () => {
    let running: Promise<AgentRan>;
    let plugin: number;

    test('its screen warns of where it comes from, and it is one process of the console’s account', async () => {
      running = lock.ask(HANGS, 'test.hangs');
      await lock.pane().shows('▲ UNOFFICIAL MARKETPLACE');
      await lock.answer('Approve? [y/N]', 'y');
      const children = (): readonly number[] => childrenOf(lock.pane().program());
      await expect.poll(children).toHaveLength(1);
      plugin = children()[0] as number;
      await expect.poll(() => readFileSync(`/proc/${plugin}/cmdline`, 'utf8')).toBe('plugin\0');
      expect(readFileSync(`/proc/${plugin}/status`, 'utf8')).toContain(`Uid:\t${lock.two.console.uid}\t`);
    });

    const attempts = () => [...attemptsOnConsole(lock.attacked()), ...attemptsOnRun(attackedRun(plugin))];

    test('no attempt of the agent reaches file, copy, memory, records, terminal, plugin, program or socket', () => {
      expect(attempts().length).toBeGreaterThanOrEqual(70);
      expect(notStopped(attempts(), (script) => sh(lock.two.agent, script), MARKER)).toEqual([]);
      expect(isAlive(plugin)).toBe(true);
    });

    test('the attempts are real: root can do what they try', () => {
      expect(attempts().filter(({ control }) => control === true).length).toBeGreaterThanOrEqual(25);
      expect(notPossible(attempts(), (script) => sh(ROOT, script))).toEqual([]);
      rmSync('/run/lockfile/fake.sock', { force: true });
      expect(isAlive(plugin)).toBe(true);
    });

    test('an account outside the clients’ group gets not a byte', () => {
      const nobody = { name: 'nobody', uid: 65534, gid: 65534, home: '/' };
      const connect = `import socket; socket.socket(socket.AF_UNIX).connect("${lock.attacked().socket}")`;
      expect(lock.two.runAs(nobody, ['python3', '-c', connect]).stderr).toContain('PermissionError');
    });

    test('a console killed by SIGKILL: the plugin is dead, the copy gone at the next start, the log verifies', async () => {
      process.kill(lock.pane().program(), 'SIGKILL');
      await lock.pane().shows('ended with 137');
      await expect.poll(() => isAlive(plugin)).toBe(false);
      expect(await running).toMatchObject({ exit: 1, json: { error: { code: 'E_CONNECTION' } } });
      expect(lock.fetched()).toHaveLength(2);
      lock.restart();
      await lock.pane().shows('ready: the agent may ask now');
      expect(lock.fetched()).toEqual([]);
      const { exit, stdout } = verifyAudit();
      expect([exit, JSON.parse(stdout)]).toMatchObject([0, { verdict: 'intact' }]);
      const log = readFileSync(lock.attacked().auditLog, 'utf8');
      expect(log).toContain('effect.unknown_end');
      expect(log).not.toContain(MARKER);
    });
  });

  test('the new console needs no new approval of its policy, and answers; a released file is gone', async () => {
    const asked = lock.ask(KEY, 'file.non-empty');
    await lock.answer('Approve? [y/N]', 'y');
    const { exit, json } = await asked;
    expect([exit, json.answers]).toMatchObject([0, [{ plugin: 'file.non-empty', result: 1 }]]);
    expect(lock.fetched()).toHaveLength(1);
    expect((await lock.agentAsks('release', json.handle as string)).exit).toBe(0);
    expect(lock.fetched()).toEqual([]);
  });

  test('a denial is exit 3, and neither way asks the human again', async () => {
    const asked = lock.ask(KEY, 'format.is-png');
    await lock.answer('Approve? [y/N]', 'n no');
    expect(await asked).toMatchObject({ exit: 3, json: { error: { code: 'E_DENIED' } } });
    const { json } = await lock.agentAsks('plan', '--key', KEY, '--plugin', 'format.is-png');
    const again = await lock.agentAsks('run', json.plan as string);
    expect(again).toMatchObject({ exit: 3, json: { error: { code: 'E_DENIED' } } });
  });

  test('doctor finds nothing that fails, as the agent, as the console and as root', () => {
    for (const who of [lock.two.agent, lock.two.console, ROOT]) {
      const { exit, stdout } = lock.two.runAs(who, ['lockfile', 'doctor', '--json'], { cwd: PROJECT });
      const { checks } = JSON.parse(stdout) as { readonly checks: readonly { readonly state: string }[] };
      expect([who.name, exit, checks.filter(({ state: found }) => found === 'fail')]).toEqual([
        who.name,
        0,
        [],
      ]);
    }
  });

  test('uninstall refuses while a console runs, then takes away what install made and keeps the account', async () => {
    const uninstall = (): Ran => lock.two.install('--uninstall', '--yes', '--json');
    expect(JSON.parse(uninstall().stdout)).toMatchObject({ refusals: [{ code: 'console_running' }] });
    lock.pane().kill();
    await expect.poll(() => uninstall().exit).toBe(0);
    const gone = ['/usr/local/bin/lockfile', '/usr/local/lib/lockfile', '/etc/lockfile', '/run/lockfile'];
    expect(gone.filter((path) => existsSync(path))).toEqual([]);
    expect(existsSync(lock.state('audit'))).toBe(true);
  });
});
