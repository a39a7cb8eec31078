// The files that a policy names: only what nobody else could have written is read, and nothing blocks.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requireReal } from '../test/real-parts.js';
import { appendKnownHost } from './append-known-host.js';
import { readGuardedFile } from './read-guarded-file.js';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lk-files-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const ownUid = process.getuid?.() ?? 0;
const pathOf = (name: string): string => join(folder, name);
const read = (name: string, isSecret = true): Promise<Buffer | null> =>
  readGuardedFile({ path: pathOf(name), maxBytes: 1000, isSecret, ownUid });
const problemOf = async (name: string): Promise<unknown> =>
  await read(name).then(
    () => null,
    (error: unknown) => (error as { cause?: { problem?: string } }).cause?.problem,
  );

function make(name: string, content: string | Buffer, mode: number): void {
  writeFileSync(pathOf(name), content);
  chmodSync(pathOf(name), mode);
}

describe('readGuardedFile', () => {
  it('reads a file of our own, and null where there is none', async () => {
    make('good', 'key', 0o600);
    expect((await read('good'))?.toString()).toBe('key');
    expect(await read('none')).toBeNull();
  });

  it.each([0o644, 0o640, 0o606, 0o666])('A4-044 refuses a secret of mode %o', async (mode) => {
    make('open', 'key', mode);
    expect(await problemOf('open')).toBe('open_to_others');
  });

  it('takes a file that is no secret when others may read it, and not when they may write it', async () => {
    make('known', 'hosts', 0o644);
    expect((await read('known', false))?.toString()).toBe('hosts');
    make('known', 'hosts', 0o664);
    await expect(read('known', false)).rejects.toMatchObject({
      code: 'E_CONNECTION',
      cause: { kind: 'key_file' },
    });
  });

  it.skipIf(!requireReal(['root']))(
    'A4-044 refuses a file, or a folder on its way, of another account',
    async () => {
      make('foreign', 'key', 0o600);
      chownSync(pathOf('foreign'), 12_345, 12_345);
      expect(await problemOf('foreign')).toBe('other_owner');
      mkdirSync(pathOf('theirs'));
      make('theirs/key', 'key', 0o600);
      chownSync(pathOf('theirs'), 12_345, 12_345);
      expect(await problemOf('theirs/key')).toBe('other_owner');
    },
  );

  it('refuses a file in a folder that others may write', async () => {
    mkdirSync(pathOf('shared'));
    make('shared/key', 'key', 0o600);
    chmodSync(pathOf('shared'), 0o777);
    expect(await problemOf('shared/key')).toBe('other_owner');
  });

  it('A4-045 refuses a folder, a pipe, a device and 10 MB, without blocking', async () => {
    mkdirSync(pathOf('folder'));
    chmodSync(pathOf('folder'), 0o700);
    expect(await problemOf('folder')).toBe('not_a_file');
    execFileSync('mkfifo', ['-m', '600', pathOf('pipe')]);
    expect(await problemOf('pipe')).toBe('not_a_file');
    symlinkSync('/dev/zero', pathOf('device'));
    expect(await problemOf('device')).toBe('not_a_file');
    make('large', Buffer.alloc(10_000_000), 0o600);
    expect(await problemOf('large')).toBe('too_large');
  });

  it('never names the path in its message', async () => {
    make('open', 'key', 0o644);
    await expect(read('open')).rejects.not.toMatchObject({
      message: expect.stringContaining(folder) as string,
    });
  });
});

describe('appendKnownHost', () => {
  it('makes the file for its owner alone, and adds lines in order', async () => {
    const path = pathOf('ssh/known_hosts');
    await appendKnownHost(path, 'a ssh-ed25519 A\n');
    await appendKnownHost(path, 'b ssh-ed25519 B\n');
    expect(readFileSync(path, 'utf8')).toBe('a ssh-ed25519 A\nb ssh-ed25519 B\n');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(pathOf('ssh')).mode & 0o777).toBe(0o700);
  });

  it('mends a last line without its newline', async () => {
    make('torn', 'a ssh-ed25519 A', 0o600);
    await appendKnownHost(pathOf('torn'), 'b ssh-ed25519 B\n');
    expect(readFileSync(pathOf('torn'), 'utf8')).toBe('a ssh-ed25519 A\nb ssh-ed25519 B\n');
  });

  it('loses no line when several are added at once', async () => {
    const lines = Array.from({ length: 20 }, (_, index) => `h${index} ssh-ed25519 A\n`);
    await Promise.all(lines.map((line) => appendKnownHost(pathOf('many'), line)));
    expect(readFileSync(pathOf('many'), 'utf8').split('\n').sort()).toEqual(
      ['', ...lines.map((line) => line.trim())].sort(),
    );
  });

  it.each(['a b', 'a b\nc d\n', '\n', 'a b\r\n'])('takes exactly one line, not %j', async (line) => {
    await expect(appendKnownHost(pathOf('never'), line)).rejects.toThrow();
  });

  it('does not write into a pipe', async () => {
    execFileSync('mkfifo', ['-m', '600', pathOf('pipe2')]);
    await expect(appendKnownHost(pathOf('pipe2'), 'a b\n')).rejects.toThrow();
  });
});
