import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openFactsIo } from '../open-facts-io.js';
import { account } from '../test/memory-io.js';
import { projectChecks } from './check-project.js';
import { bad, good, type DoctorCheck } from './doctor-check.js';
import { mayRead } from './may-read.js';
import { renderDoctor } from './render-doctor.js';
import { runDoctor } from './run-doctor.js';

describe('runDoctor', () => {
  test('a repair is carried out only when asked, and the report says what is seen after it', async () => {
    let mended = false;
    const source = (): readonly DoctorCheck[] =>
      mended
        ? [good('a', 'fine')]
        : [bad('fail', 'a', 'broken', 'mend it', () => ((mended = true), 'mended it'))];
    expect(await runDoctor([source], false)).toEqual({
      ok: false,
      checks: [{ id: 'a', state: 'fail', detail: 'broken', fix: 'mend it' }],
    });
    expect(await runDoctor([source], true)).toEqual({
      ok: true,
      checks: [{ id: 'a', state: 'ok', detail: 'fine', fixed: 'mended it' }],
    });
  });

  test('a repair that fails leaves the failure and says so', async () => {
    const repair = (): string => {
      throw Object.assign(new Error('no'), { code: 'EROFS' });
    };
    const report = await runDoctor([() => [bad('fail', 'a', 'broken', 'do it', repair)]], true);
    expect(report).toMatchObject({
      ok: false,
      checks: [{ state: 'fail', fixed: 'could not be mended: EROFS' }],
    });
  });

  test('warnings alone are no failure', async () => {
    expect((await runDoctor([() => [bad('warn', 'a', 'meh', 'x')]], false)).ok).toBe(true);
  });

  test('text from a project is visible text on the terminal', () => {
    const text = renderDoctor({
      ok: true,
      checks: [{ id: 'console:\u001b[2J', state: 'ok', detail: '\u202e' }],
    });
    expect(text).not.toMatch(/[\u001b\u202e]/);
  });
});

describe('projectChecks', () => {
  let root: string;
  const io = openFactsIo({});
  const check = async (mend = false) => {
    const source = projectChecks(io, { lock: 'lockssh', projectRoot: root, service: null });
    return (await runDoctor([source], mend)).checks;
  };

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'lock-doctor-'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const makeFolder = (): void => {
    mkdirSync(join(root, '.lockssh'), { mode: 0o755 });
    writeFileSync(join(root, '.lockssh/config.toml'), '', { mode: 0o644 });
  };

  test('no folder, and a folder of one’s own: ok', async () => {
    expect(await check()).toMatchObject([{ id: 'project_folder', state: 'ok' }]);
    makeFolder();
    expect(await check()).toMatchObject([{ state: 'ok' }]);
  });

  test('a file that others can write fails, and --fix takes that right alone', async () => {
    makeFolder();
    chmodSync(join(root, '.lockssh/config.toml'), 0o666);
    expect(await check()).toMatchObject([{ state: 'fail' }]);
    expect(await check(true)).toMatchObject([
      { state: 'ok', fixed: expect.stringContaining('chmod go-w') as string },
    ]);
    expect(statSync(join(root, '.lockssh/config.toml')).mode & 0o777).toBe(0o644);
  });

  test('a link instead of the folder or a file fails, and is never mended by itself', async () => {
    symlinkSync('/etc', join(root, '.lockssh'));
    expect(await check(true)).toMatchObject([{ id: 'project_folder', state: 'fail' }]);
    rmSync(join(root, '.lockssh'));
    mkdirSync(join(root, '.lockssh'));
    symlinkSync('/etc/passwd', join(root, '.lockssh/config.toml'));
    const before = statSync('/etc/passwd').mode;
    expect(await check(true)).toMatchObject([{ id: 'project_folder', state: 'fail' }]);
    expect(statSync('/etc/passwd').mode).toBe(before);
  });
});

describe('mayRead by permission bits', () => {
  const io = { ...openFactsIo({}), tryRead: () => null };
  const keeper = account('keeper', 990, [50]);
  const fact = (uid: number, gid: number, mode: number) => ({
    path: '/x',
    kind: 'folder' as const,
    uid,
    gid,
    mode,
  });

  test.each([
    ['its own folder', fact(990, 0, 0o700), 'list', true],
    ['a closed folder of another', fact(1000, 1000, 0o700), 'enter', false],
    ['a folder that all may enter', fact(1000, 1000, 0o711), 'enter', true],
    ['the same, listed', fact(1000, 1000, 0o711), 'list', false],
    ['a folder of its group', fact(1000, 50, 0o750), 'list', true],
    ['the owner’s bits count before the others’', fact(990, 0, 0o077), 'read', false],
  ] as const)('%s', (_title, entry, need, may) => {
    expect(mayRead(io, keeper, entry, need)).toEqual({ may, certain: false });
  });
});
