import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readGuardedFile, renderRefusal, type FileGuard, type GuardedRead } from './read-guarded-file.js';

const uid = process.getuid?.() ?? 0;
const gid = process.getgid?.() ?? 0;
const guard: FileGuard = { owners: [uid], trustedGids: [], maxBytes: 100 };
let top: string;
let folder: string;
let file: string;

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'guard-'));
  folder = join(top, '.lock');
  file = join(folder, 'f');
  mkdirSync(folder, { mode: 0o755 });
  writeFileSync(file, 'text', { mode: 0o644 });
});
afterEach(() => {
  rmSync(top, { recursive: true, force: true });
});

const read = (change: Partial<FileGuard> = {}): GuardedRead =>
  readGuardedFile(folder, 'f', { ...guard, ...change });
const refusal = (got: GuardedRead) => (got.kind === 'refused' ? `${got.on} ${got.why}` : got.kind);

describe('readGuardedFile', () => {
  it('gives the bytes of a plain file', () => {
    expect(read()).toEqual({ kind: 'bytes', bytes: Buffer.from('text') });
  });
  it('tells an absent file and an absent folder from an unreadable one', () => {
    rmSync(file);
    expect(read().kind).toBe('absent');
    rmSync(folder, { recursive: true });
    expect(read().kind).toBe('absent');
  });

  it.each<[string, string, () => void]>([
    [
      'a link to a file outside',
      'file link',
      () => relink(file, () => writeFileSync(join(top, 'other'), 'x'), 'other'),
    ],
    [
      'a link to a file beside it',
      'file link',
      () => (renameSync(file, join(folder, 'g')), symlinkSync('g', file)),
    ],
    ['a link that leads nowhere', 'file link', () => (rmSync(file), symlinkSync('nowhere', file))],
    [
      'a folder that is a link',
      'folder link',
      () => (renameSync(folder, join(top, 'real')), symlinkSync('real', folder)),
    ],
    [
      'a folder that is a file',
      'folder not_regular',
      () => (rmSync(folder, { recursive: true }), writeFileSync(folder, '')),
    ],
    ['a folder in its place', 'file not_regular', () => (rmSync(file), mkdirSync(file))],
    [
      'a FIFO, without waiting for a writer',
      'file not_regular',
      () => (rmSync(file), execFileSync('mkfifo', [file])),
    ],
    ['a world-writable file', 'file writable_by_others', () => chmodSync(file, 0o646)],
    ['a group-writable file', 'file writable_by_others', () => chmodSync(file, 0o664)],
    ['a world-writable folder', 'folder writable_by_others', () => chmodSync(folder, 0o777)],
    [
      'a folder that is world-writable and sticky',
      'folder writable_by_others',
      () => chmodSync(folder, 0o1777),
    ],
    ['a file that is too large', 'file too_large', () => writeFileSync(file, 'x'.repeat(101))],
  ])('refuses %s', (_what, why, change) => {
    change();
    expect(refusal(read())).toBe(why);
  });

  it('refuses a socket in its place', async () => {
    rmSync(file);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(file, resolve));
    expect(refusal(read())).toBe('file not_regular');
    await new Promise((resolve) => server.close(resolve));
  });

  it('takes a group-writable file of a trusted group only', () => {
    chmodSync(file, 0o664);
    expect(read({ trustedGids: [gid] }).kind).toBe('bytes');
    expect(refusal(read({ trustedGids: [gid + 1] }))).toBe('file writable_by_others');
  });

  it.runIf(uid === 0)('refuses another owner where an owner is asked for', () => {
    chownSync(file, 12_345, gid);
    expect(refusal(read())).toBe('file owner');
    expect(refusal(readGuardedFile(folder, 'f', { trustedGids: [], maxBytes: 100 }))).toBe('bytes');
    chownSync(folder, 12_345, gid);
    expect(refusal(read({ owners: [0] }))).toBe('folder owner');
  });

  it('never says more than the kind of refusal', () => {
    chmodSync(file, 0o666);
    const got = read();
    expect(got.kind === 'refused' && renderRefusal(got)).not.toContain('text');
  });
});

function relink(path: string, make: () => void, target: string): void {
  rmSync(path);
  make();
  symlinkSync(join('..', target), path);
}
