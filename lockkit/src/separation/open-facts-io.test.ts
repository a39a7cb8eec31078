// The real machine: what can be checked without changing it.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openFactsIo, terminalPath } from './open-facts-io.js';

const io = openFactsIo({});
const folder = mkdtempSync(join(tmpdir(), 'lock-facts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('openFactsIo', () => {
  test('look tells a link from what it leads to; what is not there is null', () => {
    writeFileSync(join(folder, 'file'), 'x', { mode: 0o640 });
    symlinkSync('file', join(folder, 'link'));
    expect(io.look(join(folder, 'file'))).toMatchObject({
      kind: 'file',
      mode: 0o640,
      uid: process.getuid?.(),
    });
    expect(io.look(join(folder, 'link'))).toMatchObject({ kind: 'link' });
    expect(io.look(folder)).toMatchObject({ kind: 'folder', mode: 0o700 });
    expect(io.look(join(folder, 'gone'))).toBeNull();
    expect(io.readLink(join(folder, 'link'))).toBe('file');
    expect(io.realPath(join(folder, 'link', '..', 'gone'))).toBeNull();
  });

  test('readText reads files that have no size, and never waits on a pipe', () => {
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    expect(io.readText('/proc/self/cgroup')).toContain('::');
    expect(io.readText(join(folder, 'pipe'))).toBe('');
    expect(io.readText(folder)).toBeNull();
    expect(io.readText(join(folder, 'gone'))).toBeNull();
  });

  test('the members of root’s group hold root, who is in it by its account alone', () => {
    expect(io.groupMembers('root', 0)).toContain('root');
    expect(io.groupMembers('no-such-group', 4_000_000)).toEqual([]);
  });
});

describe('terminalPath', () => {
  test.each([
    [(4 << 8) | 3, '/dev/tty3'],
    [(136 << 8) | 7, '/dev/pts/7'],
    [(137 << 8) | 1, '/dev/pts/257'],
    [(4 << 8) | 64, null],
    [0, null],
    [(5 << 8) | 1, null],
  ])('%i: %j', (device, path) => {
    expect(terminalPath(device)).toBe(path);
  });
});
