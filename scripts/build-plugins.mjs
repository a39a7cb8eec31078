// Compiles the official plugins of lockfile/plugins into static programs: <outDir>/<name>/{plugin,plugin.toml}.
// Called by the build and by tests. Skips what has not changed; says which plugins a missing library leaves out.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const pluginsDir = join(root, 'lockfile/plugins');
const sdkDir = join(root, 'lockfile/sdk');
const qpdfDir = join(pluginsDir, 'qpdf');
const QPDF_HEADER = '/usr/include/qpdf/QPDF.hh';

// Fixed names and no build id: the same source and compiler give the same bytes.
const COMMON = [
  '-O2',
  '-static',
  '-s',
  '-Wall',
  '-Wextra',
  '-Werror',
  '-Wl,--build-id=none',
  '-Wl,-z,noexecstack',
  `-ffile-prefix-map=${root}=.`,
  `-I${sdkDir}`,
];

function sourcesOf(name) {
  const dir = join(pluginsDir, name);
  return readdirSync(dir)
    .filter((file) => /\.(c|cpp|hpp|h)$/.test(file))
    .toSorted()
    .map((file) => join(dir, file));
}

function isPdfPlugin(sources) {
  return sources.some((file) => file.endsWith('.cpp'));
}

/** Compiler runs that end in `<work>/plugin`; each is [program, arguments]. */
function compileSteps(sources, work) {
  const units = sources.filter((file) => /\.(c|cpp)$/.test(file));
  if (!isPdfPlugin(sources))
    return [['gcc', ['-std=gnu11', ...COMMON, '-o', join(work, 'plugin'), ...units]]];
  const stubs = join(work, 'no-gnutls.o');
  return [
    [
      'gcc',
      ['-std=gnu11', '-O2', '-Wall', '-Wextra', '-Werror', '-c', '-o', stubs, join(qpdfDir, 'no-gnutls.c')],
    ],
    [
      'g++',
      [
        '-std=c++17',
        ...COMMON,
        `-I${qpdfDir}`,
        '-o',
        join(work, 'plugin'),
        ...units,
        stubs,
        '-lqpdf',
        '-ljpeg',
        '-lz',
      ],
    ],
  ];
}

function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files)
    hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0');
  return hash.update(COMMON.join('\0')).digest('hex');
}

/** Everything the program is made from, this script included. */
function inputsOf(name, sources) {
  const shared = isPdfPlugin(sources)
    ? readdirSync(qpdfDir)
        .toSorted()
        .map((file) => join(qpdfDir, file))
    : [];
  const toml = join(pluginsDir, name, 'plugin.toml');
  return [toml, ...sources, ...shared, join(sdkDir, 'lock_plugin.h'), fileURLToPath(import.meta.url)];
}

/** Two builds at once make the same bytes: whoever comes second leaves the first one's. */
function putInPlace(work, target, hash) {
  rmSync(target, { recursive: true, force: true });
  try {
    renameSync(work, target);
  } catch (error) {
    if (readFileSync(join(target, 'source.sha256'), 'utf8') !== hash) throw error;
  }
}

function buildPlugin(name, outDir) {
  const sources = sourcesOf(name);
  const target = join(outDir, name);
  const hash = hashOf(inputsOf(name, sources));
  const mark = join(target, 'source.sha256');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === hash) return 'unchanged';
  const work = mkdtempSync(join(outDir, '.build-'));
  try {
    for (const [program, args] of compileSteps(sources, work))
      execFileSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
    rmSync(join(work, 'no-gnutls.o'), { force: true });
    copyFileSync(join(pluginsDir, name, 'plugin.toml'), join(work, 'plugin.toml'));
    writeFileSync(join(work, 'source.sha256'), hash);
    putInPlace(work, target, hash);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return 'built';
}

/**
 * Builds every plugin that can be built here. Gives, for each, its folder in `outDir`, or why it is not there.
 * @returns {{built: {name: string, dir: string, state: string}[], skipped: {name: string, reason: string}[]}}
 */
export function buildPlugins(outDir) {
  mkdirSync(outDir, { recursive: true });
  const built = [];
  const skipped = [];
  for (const name of readdirSync(pluginsDir).toSorted()) {
    if (!existsSync(join(pluginsDir, name, 'plugin.toml'))) continue;
    if (isPdfPlugin(sourcesOf(name)) && !existsSync(QPDF_HEADER)) {
      skipped.push({ name, reason: 'libqpdf-dev is not installed' });
      console.error(`plugin ${name} is not built: libqpdf-dev is not installed`);
    } else {
      built.push({ name, dir: join(outDir, name), state: buildPlugin(name, outDir) });
    }
  }
  return { built, skipped };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(JSON.stringify(buildPlugins(process.argv[2] ?? join(root, 'lockfile/build/plugins')), null, 2));
}
