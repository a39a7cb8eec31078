// The numbers of system calls as the kernel's own headers give them, for both architectures of the policy.
// Used by tests as an oracle; needs a C compiler and the Linux headers.
import { execFileSync } from 'node:child_process';

/** The generic table, with what arm64 adds to it. */
const ARM64 = [
  ...['__ARCH_WANT_RENAMEAT', '__ARCH_WANT_NEW_STAT', '__ARCH_WANT_SET_GET_RLIMIT'],
  ...['__ARCH_WANT_TIME32_SYSCALLS', '__ARCH_WANT_SYS_CLONE3'],
].map((name) => `-D${name}`);

export function readHeaderNumbers(architecture: 'x64' | 'arm64'): ReadonlyMap<string, number> {
  const header = architecture === 'arm64' ? 'asm-generic/unistd.h' : 'asm/unistd_64.h';
  const flags = architecture === 'arm64' ? ARM64 : [];
  const macros = execFileSync('cc', ['-E', '-dM', ...flags, '-include', header, '-x', 'c', '/dev/null'], {
    encoding: 'latin1',
  });
  const values = new Map(
    [...macros.matchAll(/^#define (__NR\w+) (\w+)$/gm)].map(([, name, value]) => [name, value]),
  );
  const numbers = new Map<string, number>();
  for (const [name, value] of values) {
    const number = Number(values.get(value) ?? value);
    if (name?.startsWith('__NR_') && Number.isInteger(number)) numbers.set(name.slice(5), number);
  }
  return numbers;
}
