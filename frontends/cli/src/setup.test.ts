// The set-up commands with a lock of the test's own, which no machine has installed: what they print, their exit codes,
// their JSON. The accounts themselves are tested where a real lock is installed (lockssh, two accounts).
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { COMMON_REFUSALS, defineLock, type Action } from 'lockkit/contract';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CommandArguments, CommandIo } from './command.js';
import { runDoctorCommand } from './doctor-command.js';
import { runInitCommand, wiredLockOf } from './init-command.js';
import { runInstallCommand } from './install-command.js';
import type { PolicyParts } from './policy-commands.js';

const LOCK = 'nolocksuch';

const action = (name: string, readOnly: boolean, mcp = true): Action => ({
  name,
  words: name.split('.'),
  summary: name,
  description: name,
  flags: [],
  operands: { kind: 'none' },
  mcp,
  waits: false,
  readOnly,
});

const contract = defineLock({
  name: LOCK,
  version: '0.1.0',
  protocolMajor: 1,
  summary: 'a lock of a test',
  instructions: [],
  actions: [
    action('status', true),
    action('run', false),
    action('pii.list', true),
    action('logout', true, false),
  ],
  refusals: COMMON_REFUSALS,
  exitCodes: { ok: 0, pending: 1, refused: 1, denied: 7, noAnswer: 1, noConsole: 2, failed: 1, usage: 3 },
  loadShapes: () => Promise.resolve({}),
});

let root: string;
let out: string;
let err: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lock-setup-'));
  out = '';
  err = '';
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const io = (): CommandIo => ({
  out: (text) => void (out += text),
  write: (text) => Promise.resolve(void (out += text)),
  err: (text) => void (err += text),
  stdin: Readable.from([]),
  cwd: root,
  env: {},
  signal: new AbortController().signal,
  isTerminal: false,
});

const args = (flags: CommandArguments['flags'] = {}, operands: readonly string[] = []): CommandArguments => ({
  flags,
  operands,
  json: true,
});

describe('runInitCommand', () => {
  test('the tools that only tell what is known are offered as allowed', () => {
    expect(wiredLockOf(contract)).toMatchObject({
      command: [LOCK, 'mcp'],
      readOnlyTools: ['nolocksuch_status', 'nolocksuch_pii_list'],
    });
  });

  test('wires the agents that are named, or those that the project shows', async () => {
    expect(await runInitCommand(contract, args({}, ['gemini']), io())).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ ok: true, agents: ['gemini'] });
    out = '';
    expect(await runInitCommand(contract, args(), io())).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      agents: ['gemini'],
      files: [{ status: 'unchanged' }, { status: 'unchanged' }],
    });
  });

  test('a file that does not parse: exit 1, and it is as it was', async () => {
    writeFileSync(join(root, '.mcp.json'), '{ broken');
    expect(await runInitCommand(contract, args({}, ['claude']), io())).toBe(1);
    expect(readFileSync(join(root, '.mcp.json'), 'utf8')).toBe('{ broken');
  });

  test.each([[['emacs']], [['claude', 'CLAUDE']], [[]]])(
    '%j without any agent here: UserMistake',
    async (operands) => {
      await expect(async () => runInitCommand(contract, args({}, operands), io())).rejects.toMatchObject({
        name: 'UserMistake',
      });
    },
  );
});

describe('runDoctorCommand', () => {
  // No profile of the test is loaded: the definition is asked for nothing.
  const policy = {
    definition: { lock: LOCK, fields: {} },
    checkPattern: () => null,
  } as unknown as PolicyParts;
  const product = { contract, policy, productFolder: root, needsHiddenProcesses: true, ownChecks: [] };

  test('a machine without this lock: a failure, its fix, exit 1', async () => {
    expect(await runDoctorCommand(product, args(), io())).toBe(1);
    const report = JSON.parse(out) as { readonly ok: boolean; readonly checks: readonly object[] };
    expect(report.ok).toBe(false);
    expect(report.checks).toContainEqual(
      expect.objectContaining({
        id: 'system_file',
        state: 'fail',
        fix: `sudo ${LOCK} install --client USER`,
      }),
    );
  });

  test('the lock’s own checks are part of the report', async () => {
    const own = { ...product, ownChecks: [() => [{ id: 'sandbox', state: 'warn' as const, detail: 'x' }]] };
    await runDoctorCommand(own, args(), io());
    expect((JSON.parse(out) as { readonly checks: readonly object[] }).checks).toContainEqual({
      id: 'sandbox',
      state: 'warn',
      detail: 'x',
    });
  });

  test('--fix with nobody to ask: UserMistake', async () => {
    await expect(runDoctorCommand(product, args({ fix: true }), io())).rejects.toMatchObject({
      name: 'UserMistake',
    });
  });
});

describe('runInstallCommand', () => {
  const product = () => {
    mkdirSync(join(root, 'node_modules/thing/bin'), { recursive: true });
    writeFileSync(
      join(root, 'node_modules/thing/package.json'),
      JSON.stringify({ name: 'thing', bin: { [LOCK]: 'bin/x.cjs' } }),
    );
    writeFileSync(join(root, 'node_modules/thing/bin/x.cjs'), '');
    return { contract, productFolder: join(root, 'node_modules/thing') };
  };

  test('--print shows the script and does nothing', async () => {
    expect(await runInstallCommand(product(), { ...args({ print: true }), json: false }, io())).toBe(0);
    expect(out).toMatch(/^#!\/bin\/sh\n/);
    expect(out).toContain(`useradd --system`);
    expect(out).toContain(`/usr/local/lib/${LOCK}`);
  });

  test('--print --json: planned, with the script and the titles of its steps', async () => {
    await runInstallCommand(product(), args({ print: true }), io());
    expect(JSON.parse(out)).toMatchObject({
      status: 'planned',
      steps: expect.arrayContaining(['it answers']) as string[],
    });
  });

  test('a client without an account: refused, exit 1', async () => {
    expect(
      await runInstallCommand(product(), args({ client: ['no-such-user-here'], print: true }), io()),
    ).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ status: 'refused', refusals: [{ code: 'client_unknown' }] });
  });

  test('what is not installed cannot be taken away', async () => {
    expect(await runInstallCommand(product(), args({ uninstall: true, print: true }), io())).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ refusals: [{ code: 'not_installed' }] });
  });

  test('with nobody to ask, and without --yes: UserMistake', async () => {
    await expect(runInstallCommand(product(), args(), io())).rejects.toMatchObject({ name: 'UserMistake' });
  });
});
