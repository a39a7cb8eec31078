// Compiles the sandbox's two static programs (the launcher and its self-test) from lockkit/native into lockkit/build.
// Called by the build and by test set-ups. It writes nothing but the two programs and the hash of what they came from,
// and does nothing when that hash is unchanged. A program is put in place by a rename, never half written.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const native = join(root, 'lockkit', 'native');

/** No PIE: the programs read nothing but a spec from their own console, and a fixed address saves the relocations. */
export const STATIC_FLAGS = [
  ...['-std=gnu11', '-O2', '-static', '-no-pie', '-g0', '-Wall', '-Wextra', '-Werror'],
  ...[
    '-fstack-protector-strong',
    '-D_FORTIFY_SOURCE=2',
    '-fno-strict-aliasing',
    `-ffile-prefix-map=${root}=.`,
  ],
  ...['-Wl,-z,noexecstack', '-Wl,-z,relro,-z,now', '-Wl,--build-id=none', '-s'],
];

const PROGRAMS = [
  ['launcher.c', 'lock-launcher'],
  ['self-test.c', 'lock-self-test'],
];

/** One static program from one C file; `extraFlags` come last. Skips when source, flags and compiler are those of last time. */
export function buildStatic(source, target, extraFlags = []) {
  const compiler = process.env.CC ?? 'cc';
  const flags = [...STATIC_FLAGS, ...extraFlags];
  const hash = createHash('sha256')
    .update(JSON.stringify([compiler, flags, process.arch]))
    .update(readFileSync(source))
    .digest('hex');
  const mark = `${target}.sha256`;
  if (existsSync(target) && existsSync(mark) && readFileSync(mark, 'utf8') === hash) return target;
  mkdirSync(dirname(target), { recursive: true });
  const fresh = `${target}.${process.pid}`;
  // Libraries come after the source that needs them.
  const libraries = flags.filter((flag) => flag.startsWith('-l'));
  const others = flags.filter((flag) => !flag.startsWith('-l'));
  execFileSync(compiler, [...others, '-o', fresh, source, ...libraries], { stdio: 'inherit' });
  renameSync(fresh, target);
  writeFileSync(mark, hash);
  return target;
}

/** Both programs into `outDir`; gives their paths. */
export function buildLauncher(outDir = join(root, 'lockkit', 'build')) {
  return PROGRAMS.map(([source, name]) => buildStatic(join(native, source), join(outDir, name)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(buildLauncher().join('\n'));
