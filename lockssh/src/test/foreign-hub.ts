// What a console must refuse of a hub, and a hub of a client, between real accounts: the tests of it, for the file that has
// the accounts. The lock is installed, lox runs in an account of its own, a console of another profile is not started yet.
import { spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { asAccount, cleanEnv, type Ran, type TestPerson, type TwoAccounts } from 'lockkit/two-accounts';
import { expect, test } from 'vitest';
import { runLoxAs, writeLockList } from './lox-account.js';

export interface ForeignHub {
  readonly two: TwoAccounts;
  readonly project: string;
  readonly hubUrl: string;
  /** Of the profile that no console serves yet, in the console's home. */
  readonly keyFile: string;
}

function giveTo(path: string, { uid, gid }: TestPerson): void {
  chownSync(path, uid, gid);
}

export function testForeignHub(at: () => ForeignHub): void {
  const start = (...hub: readonly string[]): Ran =>
    at().two.runAs(at().two.console, ['lockssh', 'console', '--profile', 'live', '--plain', ...hub], {
      cwd: at().project,
    });

  test('no console without it: no_hub, exit 3', () => {
    expect(start()).toMatchObject({ exit: 3, stderr: expect.stringContaining('(no_hub)') as string });
  });

  test('an account that may ask never decides: lox refuses to run there, or to take a lock', () => {
    writeLockList(at().two.agent, at().project, ['web']);
    for (const args of [['run'], ['add', 'lockssh', '--profile', 'web', '--project', at().project]]) {
      const { exit, stderr } = runLoxAs(at().two, at().two.agent, at().project, args);
      expect([exit, stderr]).toEqual([3, expect.stringContaining('is a client of lockssh')]);
    }
  });

  test('a hub of an account that may ask is refused, and not a byte is sent to it', async () => {
    const path = join(at().two.agent.home, 'hub.sock');
    const log = join(at().two.agent.home, 'hub.log');
    const listen = [
      'import os, socket',
      's = socket.socket(socket.AF_UNIX)',
      `s.bind("${path}"); os.chmod("${path}", 0o666); os.chmod("${at().two.agent.home}", 0o711); s.listen()`,
      'while True:',
      '  c, _ = s.accept()',
      '  try: got = c.recv(64)',
      '  except OSError: got = b""',
      `  open("${log}", "ab").write(b"<" + got + b">")`,
    ].join('\n');
    const [program = '', ...args] = [...asAccount(at().two.agent), 'python3', '-c', listen];
    const hub = spawn(program, args, { env: cleanEnv(at().two.agent), stdio: 'ignore' });
    try {
      await expect.poll(() => existsSync(path) && (statSync(path).mode & 0o777) === 0o666).toBe(true);
      const foreign = join(at().two.console.home, 'foreign.json');
      const text = JSON.parse(readFileSync(at().keyFile, 'utf8')) as object;
      writeFileSync(foreign, JSON.stringify({ ...text, url: `unix:${path}` }), { mode: 0o600 });
      giveTo(foreign, at().two.console);
      const { exit, stderr } = start('--hub', `unix:${path}`, '--hub-key-file', foreign);
      expect([exit, stderr]).toEqual([3, expect.stringContaining('the hub cannot be reached')]);
      await expect.poll(() => existsSync(log)).toBe(true);
      expect(readFileSync(log, 'utf8')).toMatch(/^(<>)+$/);
    } finally {
      hub.kill('SIGKILL');
    }
  });

  test('a key file that others can read, or that is not the console’s own, is refused', () => {
    const refused = (why: string): object => ({ exit: 3, stderr: expect.stringContaining(why) as string });
    chmodSync(at().keyFile, 0o644);
    expect(start('--hub', at().hubUrl, '--hub-key-file', at().keyFile)).toMatchObject(refused('chmod 600'));
    chmodSync(at().keyFile, 0o600);
    giveTo(at().keyFile, at().two.human);
    expect(start('--hub', at().hubUrl, '--hub-key-file', at().keyFile)).toMatchObject(
      refused('cannot be read'),
    );
    giveTo(at().keyFile, at().two.console);
    const shown = join(dirname(at().hubUrl.replace('unix:', '')), 'lockssh-live.json');
    expect(start('--hub', at().hubUrl, '--hub-key-file', shown)).toMatchObject(
      refused('can be written by others'),
    );
  });

  test('the agent’s account with the key file of the console: the hub takes nothing from it', () => {
    const folder = dirname(at().hubUrl.replace('unix:', ''));
    const ask = [
      'import json, socket',
      `token = json.load(open("${folder}/lockssh-live.json"))["token"]`,
      's = socket.socket(socket.AF_UNIX)',
      `s.connect("${folder}/hub.sock")`,
      'try: s.sendall(("GET /v1/tickets/t_0000000000000000 HTTP/1.1\\r\\nHost: hub\\r\\nAuthorization: Bearer " + token + "\\r\\n\\r\\n").encode())',
      'except ConnectionError: pass',
      'try: print(s.recv(4096).decode())',
      'except ConnectionError: print("cut")',
    ].join('\n');
    const asAgent = at().two.runAs(at().two.agent, ['python3', '-c', ask]);
    expect(asAgent).toMatchObject({ exit: 0, stdout: expect.stringMatching(/^(cut)?\n$/) as string });
    // The attempt is real: the console's account, with the same bytes, is let in.
    expect(at().two.runAs(at().two.console, ['python3', '-c', ask]).stdout).toMatch(/^HTTP\/1.1 404 /);
  });
}
