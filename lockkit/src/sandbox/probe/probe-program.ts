// Builds the probe program and asks the compiler for the numbers of all system calls of this machine.
// Called by tests and by the conformance suite; needs a C compiler. It must never be part of an installed console.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { lockkitPath } from '../built-program.js';

/** Path of the static program; built once per state of its source. */
export function buildProbeProgram(compiler = 'cc'): string {
  const source = lockkitPath('native', 'test', 'probe.c');
  const folder = lockkitPath('build', 'test');
  const state = createHash('sha256').update(readFileSync(source)).digest('hex').slice(0, 16);
  const target = join(folder, `probe-${state}`);
  if (existsSync(target)) return target;
  mkdirSync(folder, { recursive: true });
  const fresh = `${target}.${process.pid}`;
  execFileSync(compiler, ['-O1', '-static', '-pthread', '-Wall', '-Wextra', '-Werror', '-o', fresh, source]);
  renameSync(fresh, target);
  return target;
}

/** Every `__NR_name` that the headers of this machine know. */
export function readSyscallNumbers(compiler = 'cc'): ReadonlyMap<string, number> {
  const macros = execFileSync(compiler, ['-E', '-dM', '-include', 'sys/syscall.h', '-x', 'c', '/dev/null'], {
    encoding: 'latin1',
  });
  return new Map(
    [...macros.matchAll(/^#define __NR_(\w+) (\d+)$/gm)].map(([, name, number]) => [
      name ?? '',
      Number(number),
    ]),
  );
}
