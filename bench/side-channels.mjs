// What an observer of many runs learns of a plugin that tells one bit of each file by its time, its memory, its stderr
// or its exit status instead of by its answer. Run by hand on the built packages, it takes minutes:
// `node bench/side-channels.mjs CHANNEL RUNS`. Every part is real: source, copy, sandbox, quantum, clock. The moment in
// which a run's answers leave is taken inside the console, before the socket adds its noise: no client sees more.
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBinaryStore, requireSandbox } from 'lockkit/sandbox';
import { AnswerMemory } from '../lockfile/dist/plan/answer-memory.js';
import { HandleTable } from '../lockfile/dist/plan/handle-table.js';
import { runPlan } from '../lockfile/dist/plan/run-plan.js';
import { TypedValues } from '../lockfile/dist/plan/typed-values.js';
import { openLocalSource } from '../lockfile/dist/sources/local-source.js';
import { openWorkspace } from '../lockfile/dist/sources/workspace.js';
import { buildStatic } from '../scripts/build-launcher.mjs';

const here = dirname(fileURLToPath(import.meta.url));
/** The default of a policy. */
const QUANTUM_MS = 1000;
/** Runs at once, each with a program of its own: runs of one program wait for each other. */
const LANES = 16;
const CHANNELS = ['answer', 'failure', 'within', 'past', 'memory', 'stderr', 'exit'];

/** The same program with other bytes at its end. */
async function storeLane(store, program, lane, folder) {
  const bytes = Buffer.concat([readFileSync(program), Buffer.from([lane])]);
  const path = join(folder, `encode-${lane}`);
  writeFileSync(path, bytes, { mode: 0o700 });
  const digest = createHash('sha256').update(bytes).digest('hex');
  const stored = await store.store(path, digest);
  if (!stored.ok) throw new Error(stored.code);
  const limits = { cpuS: 5, memoryBytes: 128 * 2 ** 20, timeoutMs: 30_000 };
  const manifest = { name: `lane-${lane}`, version: '1.0.0', protocol: 1, inputs: [], detail: false, limits };
  return { plugin: { manifest, binary: stored.value, digest }, bindings: [] };
}

function openParts(folder) {
  const root = join(folder, 'files');
  mkdirSync(root);
  const workspace = openWorkspace(folder);
  const parts = {
    source: openLocalSource(root),
    workspace,
    handles: new HandleTable(workspace, randomBytes),
    memory: new AnswerMemory(),
    values: new TypedValues(),
    human: { ask: () => Promise.resolve({ kind: 'no' }) },
    desktopLevel: 3,
    monotonicMs: () => performance.now(),
    after: (ms, call) => {
      const timer = setTimeout(call, ms);
      return () => clearTimeout(timer);
    },
  };
  return { root, parts };
}

/** One run: the bit that the file holds, the symbol that came back, and how long it took. */
async function observe(channel, question, key, { root, parts }) {
  const bit = randomInt(2);
  writeFileSync(join(root, key), `${channel} ${bit}`);
  const plan = { target: { kind: 'key', key }, questions: [question], answersRevealed: 1 };
  const terms = {
    peerUid: 1000,
    maxObjectBytes: 1024,
    maxPluginsPerHandle: 1,
    quantumMs: QUANTUM_MS,
    place: { profile: 'samples', production: false, warnings: [] },
    signal: new AbortController().signal,
  };
  const startMs = performance.now();
  const { result } = await runPlan(plan, terms, parts);
  const tookMs = performance.now() - startMs;
  parts.handles.release(result.handle);
  rmSync(join(root, key));
  // A timer may be a little early, never by 10 ms.
  const quanta = Math.floor((tookMs + 10) / QUANTUM_MS);
  return { bit, seen: `${result.answers[0].result} after ${quanta}`, restMs: tookMs - quanta * QUANTUM_MS };
}

const log2 = (value) => (value === 0 ? 0 : Math.log2(value));

/** Bits that `seen` tells of `bit`, by the counts. */
function information(runs) {
  const count = (items) => items.reduce((map, item) => map.set(item, (map.get(item) ?? 0) + 1), new Map());
  const entropy = (items) =>
    -[...count(items).values()].reduce((sum, n) => sum + (n / items.length) * log2(n / items.length), 0);
  const bits = runs.map(({ bit }) => bit);
  const seen = runs.map((run) => run.seen);
  return entropy(bits) + entropy(seen) - entropy(runs.map((run) => `${run.bit} ${run.seen}`));
}

/** The same with the bits shuffled: what the estimate says where there is nothing to learn. */
function baseline(runs) {
  const bits = runs.map(({ bit }) => bit);
  for (let at = bits.length - 1; at > 0; at--) {
    const other = randomInt(at + 1);
    [bits[at], bits[other]] = [bits[other], bits[at]];
  }
  return information(runs.map((run, at) => ({ ...run, bit: bits[at] })));
}

/** How often the rest of the time, in 16 classes learnt from every second run, guesses the bit of the others. */
function guessedByRest(runs) {
  const [learn, test] = [0, 1].map((half) => runs.filter((_, at) => at % 2 === half));
  const sorted = learn.map(({ restMs }) => restMs).toSorted((a, b) => a - b);
  const edges = Array.from({ length: 15 }, (_, at) => sorted[Math.floor(((at + 1) * sorted.length) / 16)]);
  const classOf = ({ restMs }) => edges.filter((edge) => restMs >= edge).length;
  const lean = Array(16).fill(0);
  for (const run of learn) lean[classOf(run)] += run.bit === 1 ? 1 : -1;
  const right = test.filter((run) => (lean[classOf(run)] > 0 ? 1 : 0) === run.bit).length;
  return { share: right / test.length, chance: 0.98 / Math.sqrt(test.length) };
}

async function measure(channel, wanted) {
  const folder = mkdtempSync(join(tmpdir(), 'lockfile-side-channels-'));
  const store = openBinaryStore(await requireSandbox());
  const program = buildStatic(join(here, '../lockfile/src/test/encode.c'), join(folder, 'encode'));
  const world = openParts(folder);
  const runs = [];
  let next = 0;
  const lane = async (number) => {
    const question = await storeLane(store, program, number, folder);
    while (next < wanted) runs.push(await observe(channel, question, `file-${next++}`, world));
  };
  const startMs = performance.now();
  try {
    await Promise.all(Array.from({ length: LANES }, (_, number) => lane(number)));
  } finally {
    world.parts.workspace.close();
    store.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return { runs, seconds: (performance.now() - startMs) / 1000 };
}

const [channel, wanted = '1000'] = process.argv.slice(2);
if (!CHANNELS.includes(channel)) {
  console.error(`usage: node bench/side-channels.mjs ${CHANNELS.join('|')} [RUNS]`);
  process.exit(64);
}
const { runs, seconds } = await measure(channel, Number(wanted));
const seen = new Map();
for (const run of runs) seen.set(`${run.bit}: ${run.seen}`, (seen.get(`${run.bit}: ${run.seen}`) ?? 0) + 1);
const { share, chance } = guessedByRest(runs);
console.log(`${channel}: ${runs.length} runs in ${Math.round(seconds)} s, quantum ${QUANTUM_MS} ms`);
for (const [what, times] of [...seen].toSorted()) console.log(`  bit ${what} quanta: ${times}`);
console.log(
  `  symbol and quanta: ${information(runs).toFixed(4)} bits (shuffled: ${baseline(runs).toFixed(4)})`,
);
console.log(
  `  rest of the time: guesses ${(100 * share).toFixed(1)} % (chance: 50 ± ${(100 * chance).toFixed(1)} %)`,
);
