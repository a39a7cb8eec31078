import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  constants,
  copyFileSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BinaryStore, MAX_BINARY_BYTES, openBinaryStore } from './binary-store.js';
import { selfTestPath } from './built-program.js';
import type { UsableKernel } from './probe-kernel.js';
import { runSandboxed } from './run-sandboxed.js';
import { requireSandbox } from './self-test.js';

const hash = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');
const ENVIRONMENT = { name: 'LOCKFILE_PLUGIN_PROTOCOL', value: '1' };
const LIMITS = { cpuS: 2, memoryBytes: 2 ** 25, timeoutMs: 5000 };

let kernel: UsableKernel;
let store: BinaryStore;
let folder: string;
let good: string;

beforeAll(async () => {
  kernel = await requireSandbox();
  folder = mkdtempSync(join(tmpdir(), 'lock-store-'));
  good = hash(readFileSync(selfTestPath()));
});
afterAll(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

function freshCopy(name: string): string {
  const path = join(folder, name);
  copyFileSync(selfTestPath(), path);
  return path;
}

describe('openBinaryStore', () => {
  beforeAll(() => {
    store = openBinaryStore(kernel);
  });

  it('stores a program under the hash of its sealed bytes, once', async () => {
    const first = await store.store(freshCopy('once'), good);
    const second = await store.store(join(folder, 'missing'), good);
    expect(first).toMatchObject({ ok: true, value: { sha256: good } });
    expect(second).toEqual(first);
  });

  it('refuses a missing file, a directory, a device and a FIFO', async () => {
    execFileSync('mkfifo', [join(folder, 'fifo')]);
    const refusals = [];
    for (const path of [join(folder, 'missing'), folder, '/dev/zero', join(folder, 'fifo')])
      refusals.push(await store.store(path, hash(path)));
    expect(refusals.map((refusal) => (refusal.ok ? 'ok' : refusal.code))).toEqual([
      ...['missing', 'not_a_file', 'not_a_file', 'not_a_file'],
    ]);
  });

  it('refuses other bytes than the hash says, whatever else they are', async () => {
    expect(await store.store(freshCopy('hash'), hash('other'))).toEqual({ ok: false, code: 'hash_mismatch' });
  });

  it('refuses a dynamic program, a script, an empty file and a huge one', async () => {
    writeFileSync(join(folder, 'script'), '#!/bin/sh\necho 1\n', { mode: 0o755 });
    writeFileSync(join(folder, 'empty'), '');
    writeFileSync(join(folder, 'huge'), '');
    truncateSync(join(folder, 'huge'), MAX_BINARY_BYTES + 1);
    const attempts = [
      ['/bin/true', hash(readFileSync('/bin/true')), 'dynamic'],
      [join(folder, 'script'), hash('#!/bin/sh\necho 1\n'), 'not_a_program'],
      [join(folder, 'empty'), hash(''), 'not_a_program'],
      [join(folder, 'huge'), hash('huge'), 'too_large'],
    ] as const;
    for (const [path, sha256, code] of attempts)
      expect(await store.store(path, sha256)).toEqual({ ok: false, code });
  });

  it('runs the bytes that were verified, after the file is rewritten in place and replaced', async () => {
    const path = freshCopy('rewritten');
    const own = openBinaryStore(kernel);
    const stored = await own.store(path, good);
    if (!stored.ok) throw new Error(stored.code);
    writeFileSync(path, 'not a program any more');
    rmSync(path);
    writeFileSync(path, '#!/bin/sh\necho 0\n', { mode: 0o755 });
    const binary = stored.value;
    const end = await runSandboxed({
      binary,
      inputFd: binary.fd,
      detail: false,
      environment: ENVIRONMENT,
      limits: LIMITS,
    });
    own.close();
    expect(end).toMatchObject({ kind: 'answered', answer: 1 });
  });

  it('holds memory that nobody can write to, not even through a fresh opening', async () => {
    const stored = await store.store(freshCopy('sealed'), good);
    if (!stored.ok) throw new Error(stored.code);
    const path = `/proc/self/fd/${stored.value.fd}`;
    const write = (): number => writeSync(openSync(path, constants.O_RDWR), 'x');
    expect(write).toThrow(/EPERM|EACCES/);
    expect(() => truncateSync(path, 0)).toThrow(/EPERM|EACCES/);
    expect(hash(readFileSync(path))).toBe(good);
  });
});

describe('StoredBinary.exclusively', () => {
  it('runs one at a time, in order, also after one that throws', async () => {
    const stored = await store.store(freshCopy('queue'), good);
    if (!stored.ok) throw new Error(stored.code);
    const { exclusively } = stored.value;
    const log: string[] = [];
    const job =
      (name: string, fails = false) =>
      async () => {
        log.push(`${name} starts`);
        await new Promise(setImmediate);
        log.push(`${name} ends`);
        if (fails) throw new Error(name);
        return name;
      };
    const results = await Promise.allSettled([
      exclusively(job('a')),
      exclusively(job('b', true)),
      exclusively(job('c')),
    ]);
    expect(log).toEqual(['a starts', 'a ends', 'b starts', 'b ends', 'c starts', 'c ends']);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
});
