import { closeSync, openSync, readSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { architectureOf, ARCHITECTURES } from './architecture.js';
import { launcherPath } from './built-program.js';
import { checkStaticElf, ELF_HEAD_BYTES } from './static-elf.js';

function headOf(path: string): Buffer {
  const fd = openSync(path, 'r');
  const head = Buffer.alloc(ELF_HEAD_BYTES);
  const bytes = readSync(fd, head, 0, head.length, 0);
  closeSync(fd);
  return head.subarray(0, bytes);
}

const here = architectureOf(process.arch) ?? ARCHITECTURES.x64;
const there = here.name === 'x64' ? ARCHITECTURES.arm64 : ARCHITECTURES.x64;

describe('checkStaticElf', () => {
  it('knows a static program from a dynamic one', () => {
    expect(checkStaticElf(headOf(launcherPath()), here)).toBe('static');
    expect(checkStaticElf(headOf('/bin/true'), here)).toBe('dynamic');
  });

  it('refuses a program of another processor, a script, and an empty file', () => {
    expect(checkStaticElf(headOf(launcherPath()), there)).toBe('not_a_program');
    expect(checkStaticElf(Buffer.from('#!/bin/sh\n'.padEnd(200)), here)).toBe('not_a_program');
    expect(checkStaticElf(Buffer.alloc(0), here)).toBe('not_a_program');
  });

  it('never throws on a damaged header', () => {
    const head = headOf(launcherPath());
    fc.assert(
      fc.property(fc.nat(511), fc.nat(255), fc.integer({ min: 0, max: ELF_HEAD_BYTES }), (at, value, cut) => {
        const damaged = Buffer.from(head.subarray(0, cut));
        if (at < damaged.length) damaged[at] = value;
        expect(['static', 'not_a_program', 'dynamic']).toContain(checkStaticElf(damaged, here));
      }),
    );
  });
});
