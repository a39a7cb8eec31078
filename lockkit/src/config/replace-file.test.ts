import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Fault } from '../contract/fault.js';
import { holdFile } from './hold-file.js';
import { replaceFile } from './replace-file.js';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'replace-'));
  path = join(folder, 'f');
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('replaceFile', () => {
  it('replaces the whole file, with the mode asked for, and leaves nothing beside it', () => {
    writeFileSync(path, 'a long old text');
    replaceFile(path, Buffer.from('new'), 0o600);
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['f']);
  });
  it('replaces a link and never writes through it', () => {
    const target = join(folder, 'target');
    writeFileSync(target, 'untouched');
    symlinkSync(target, path);
    replaceFile(path, Buffer.from('new'), 0o600);
    expect(readFileSync(target, 'utf8')).toBe('untouched');
  });
  it('throws a fault, keeps the old file and leaves nothing beside it when it cannot', () => {
    mkdirSync(path);
    writeFileSync(join(path, 'x'), '');
    expect(() => replaceFile(path, Buffer.from('new'), 0o600)).toThrow(Fault);
    expect(readdirSync(folder)).toEqual(['f']);
    expect(() => replaceFile(join(folder, 'no', 'f'), Buffer.from(''), 0o600)).toThrow(Fault);
  });
  it('keeps the old file when the disk is full', () => {
    writeFileSync(path, 'old');
    if (process.getuid?.() !== 0) return;
    const small = join(folder, 'small');
    mkdirSync(small);
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4096', 'tmpfs', small]).status !== 0) return;
    try {
      const file = join(small, 'f');
      writeFileSync(file, 'old');
      expect(() => replaceFile(file, Buffer.alloc(100_000, 0x61), 0o600)).toThrow(Fault);
      expect(readFileSync(file, 'utf8')).toBe('old');
      expect(readdirSync(small)).toEqual(['f']);
    } finally {
      spawnSync('umount', [small]);
    }
  });
});

describe('holdFile', () => {
  it('gives the result and lets go, also after a throw', () => {
    expect(holdFile(path, () => 7)).toBe(7);
    expect(() =>
      holdFile(path, () => {
        throw new Error('x');
      }),
    ).toThrow('x');
    expect(readdirSync(folder)).toEqual([]);
  });
  it('is busy while another holder lives', () => {
    holdFile(path, () => {
      expect(() => holdFile(path, () => 1, { waitMs: 0 })).toThrow(Fault);
    });
  });
  it('takes over from a holder that died', () => {
    const dead = spawnSync('true').pid;
    writeFileSync(`${path}.lock`, String(dead));
    expect(holdFile(path, () => 1, { waitMs: 0 })).toBe(1);
  });
  it('throws a fault where no lock can be made', () => {
    expect(() => holdFile(join(folder, 'no', 'f'), () => 1)).toThrow(Fault);
    chmodSync(folder, 0o755);
  });
});
