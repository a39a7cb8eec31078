import { describe, expect, it } from 'vitest';
import { SYSCALL_NUMBERS, type SyscallName, syscallNumber } from './syscall-numbers.js';
import { readHeaderNumbers } from './test/system-headers.js';

const NAMES = Object.keys(SYSCALL_NUMBERS) as SyscallName[];

describe('syscallNumber', () => {
  it.skipIf(process.arch !== 'x64')('agrees with the kernel headers on x64', () => {
    const headers = readHeaderNumbers('x64');
    expect(NAMES.filter((name) => headers.get(name) !== syscallNumber(name, 'x64'))).toEqual([]);
  });

  it('agrees with the kernel headers on arm64, also about calls that it does not have', () => {
    const headers = readHeaderNumbers('arm64');
    const theirs = (name: SyscallName): number | null => headers.get(name) ?? null;
    expect(NAMES.filter((name) => theirs(name) !== syscallNumber(name, 'arm64'))).toEqual([]);
  });
});
