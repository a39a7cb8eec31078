// What the sandbox costs: our full sandbox against a bare spawn of the same static program, against bubblewrap with
// the same filter, and against @anthropic-ai/sandbox-runtime, in one interleaved run. Run by `npm run bench` on the
// built packages. It measures and prints; it asserts nothing. A peer that is not installed is left out, and said so.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBinaryStore, requireSandbox, runSandboxed } from 'lockkit/sandbox';
import { buildStatic } from '../scripts/build-launcher.mjs';
import { ARCHITECTURES } from '../lockkit/dist/sandbox/architecture.js';
import { assembleFilter } from '../lockkit/dist/sandbox/assemble-filter.js';
import { encodeFilter } from '../lockkit/dist/sandbox/launch-spec.js';
import { SECCOMP_POLICY } from '../lockkit/dist/sandbox/seccomp-policy.js';

const here = dirname(fileURLToPath(import.meta.url));
const folder = join(here, '..', '.bench');
const LIMITS = { cpuS: 5, memoryBytes: 128 * 2 ** 20, timeoutMs: 10_000 };
const ENVIRONMENT = { name: 'LOCKFILE_PLUGIN_PROTOCOL', value: '1' };

const EMPTY = 'int main(void) { return __builtin_puts("1") < 0; }\n';
const THREE = ['ignore', 'pipe', 'pipe'];

/** Milliseconds from the start to the end of a process whose answer was read. */
async function timeSpawn(program, args, stdio = THREE) {
  const start = performance.now();
  const child = spawn(program, args, { stdio, env: { PATH: process.env.PATH } });
  let answer = '';
  child.stdout.on('data', (chunk) => (answer += chunk));
  child.stderr.resume();
  const status = await new Promise((resolve) => child.once('close', resolve));
  if (status !== 0 || answer !== '1\n') throw new Error(`${program}: status ${status}`);
  return performance.now() - start;
}

async function ours(program) {
  const store = openBinaryStore(await requireSandbox());
  const sha256 = createHash('sha256').update(readFileSync(program)).digest('hex');
  const stored = await store.store(program, sha256);
  const inputFd = openSync(program, 'r');
  const run = async () => {
    const start = performance.now();
    const plan = { binary: stored.value, inputFd, detail: false, environment: ENVIRONMENT, limits: LIMITS };
    const end = await runSandboxed(plan);
    if (end.kind !== 'answered') throw new Error(JSON.stringify(end));
    return performance.now() - start;
  };
  return { run, close: () => (closeSync(inputFd), store.close()) };
}

/**
 * No namespace is shared, nothing is mounted but the program, and our own filter is loaded from descriptor 9; without
 * an init process, which costs less and which the filter would not let wait.
 */
function bubblewrap(program) {
  const filter = assembleFilter(SECCOMP_POLICY, ARCHITECTURES[process.arch]);
  writeFileSync(join(folder, 'filter.bpf'), encodeFilter(filter));
  const args = ['--unshare-all', '--as-pid-1', '--ro-bind', program, '/plugin', '--seccomp', '9', '/plugin'];
  const run = async () => {
    const fd = openSync(join(folder, 'filter.bpf'), 'r');
    try {
      return await timeSpawn('bwrap', args, [...THREE, ...Array(6).fill('ignore'), fd]);
    } finally {
      closeSync(fd);
    }
  };
  return { run, close: () => {} };
}

async function sandboxRuntime(program) {
  const { SandboxManager } = await import('@anthropic-ai/sandbox-runtime');
  await SandboxManager.initialize({
    network: { allowedDomains: [], deniedDomains: [] },
    filesystem: { denyRead: [], allowWrite: [], denyWrite: [] },
  });
  const run = async () => {
    const start = performance.now();
    await timeSpawn('bash', ['-c', await SandboxManager.wrapWithSandbox(program)]);
    return performance.now() - start;
  };
  return { run, close: () => SandboxManager.reset() };
}

const METHODS = {
  'bare spawn': (program) => ({ run: () => timeSpawn(program, []), close: () => {} }),
  'lockkit sandbox': ours,
  'bwrap --unshare-all --seccomp': bubblewrap,
  'sandbox-runtime 0.0.78': sandboxRuntime,
};

const percentile = (values, share) =>
  [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * share)];
const round = (value) => Math.round(value * 100) / 100;

async function openMethods(program) {
  const open = [];
  for (const [name, prepare] of Object.entries(METHODS)) {
    try {
      const method = await prepare(program);
      await method.run();
      open.push({ name, method, times: [] });
    } catch (error) {
      console.log(`${name}: not measured (${String(error).split('\n', 1)[0]})`);
    }
  }
  return open;
}

/** Rows {bench, name, medianMs, p95Ms, overheadMs}, then the two ratios that were aimed at. */
export async function bench(runs = 100) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'answer.c'), EMPTY);
  const program = buildStatic(join(folder, 'answer.c'), join(folder, 'answer'));
  const methods = await openMethods(program);
  for (let round = 0; round < runs; round++)
    for (const { method, times } of methods) times.push(await method.run());
  for (const { method } of methods) await method.close();
  // Round by round, so that a load that comes and goes falls on both.
  const overBare = (times) => times.map((time, index) => time - methods[0].times[index]);
  const rows = methods.map(({ name, times }) => ({
    bench: 'sandbox',
    name,
    medianMs: round(percentile(times, 0.5)),
    p95Ms: round(percentile(times, 0.95)),
    overheadMs: round(percentile(overBare(times), 0.5)),
  }));
  for (const { name, medianMs, p95Ms, overheadMs } of rows)
    console.log(`${name.padEnd(32)} median ${medianMs} ms, p95 ${p95Ms} ms, over bare ${overheadMs} ms`);
  return [...rows, ...ratios(new Map(rows.map((row) => [row.name, row])))];
}

function ratios(rows) {
  const mine = rows.get('lockkit sandbox');
  const bwrap = rows.get('bwrap --unshare-all --seccomp');
  const runtime = rows.get('sandbox-runtime 0.0.78');
  const found = [];
  if (bwrap)
    found.push({
      name: 'overhead over bare, of bwrap’s',
      ratio: round(mine.overheadMs / bwrap.overheadMs),
      aim: '<= 0.35',
    });
  if (runtime)
    found.push({
      name: 'overhead of sandbox-runtime, times ours',
      ratio: round(runtime.overheadMs / mine.overheadMs),
      aim: '>= 20',
    });
  for (const { name, ratio, aim } of found) console.log(`${name}: ${ratio} (aim ${aim})`);
  return found.map((row) => ({ bench: 'sandbox', ...row }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bench(Number(process.argv[2] ?? 100));
