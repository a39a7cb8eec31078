// Area A9: attempts inside a plugin, told in words. Reads the words (a9-words.ts), runs the probes they are about in
// the real sandbox of this machine, and judges the results. `got` is {results: {probe: result}}, or {open, protocol2}
// for descriptors, {runs} for a machine without a feature, {unread: true} for words that nothing here understands.
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decideKernelReport, runSandboxed } from 'lockkit/sandbox';
import {
  canTry,
  openProbeBench,
  parseProbeCases,
  type ProbeBench,
  type ProbeCase,
  runProbeInside,
} from 'lockkit/sandbox-probe';
import { waitUntilRelease } from '@lockkit/lockfile/release-time';
import type { Json, JsonObject, Kind, Kinds } from '../kind.js';
import { type Reading, readAttempt } from './a9-words.js';

const PROBES_PATH = fileURLToPath(new URL('../../probes/sandbox-probes.json', import.meta.url));
/** An account that runs nothing, for the limit that the kernel does not hold against uid 0. */
const OTHER_ACCOUNT = { uid: 61_234, gid: 61_234 };

let opened: Promise<{ readonly bench: ProbeBench; readonly probes: readonly ProbeCase[] }> | undefined;

async function open(): Promise<{ readonly bench: ProbeBench; readonly probes: readonly ProbeCase[] }> {
  const bench = await openProbeBench();
  const probes = parseProbeCases(readFileSync(PROBES_PATH, 'utf8')).filter((probe) => canTry(probe, bench));
  return { bench, probes };
}

async function run(input: JsonObject): Promise<Json> {
  const { bench, probes } = await (opened ??= open());
  return runReading(readAttempt(String(input['attempt']), probes), bench);
}

async function runReading(reading: Reading, bench: ProbeBench): Promise<Json> {
  switch (reading.kind) {
    case 'probes':
      return { results: await runAll(reading.probes, bench) };
    case 'steps': {
      const limits = reading.timeoutMs === undefined ? {} : { limits: { timeoutMs: reading.timeoutMs } };
      return { results: await runAll([{ ...probeOf(reading.step), ...limits }], bench) };
    }
    case 'descriptors':
      return runDescriptors(bench);
    case 'no_detail':
      // Without descriptor 7 there is no text; "answered 0" means that the only step failed.
      return {
        results: {
          'fd-7':
            (await runProbeInside(probeOf('fcntl 7 1'), bench, { detail: false })) === 'answered 0'
              ? 'EBADF'
              : 'ok',
        },
      };
    case 'many_threads':
      return runManyThreads(bench);
    case 'missing_feature':
      return { runs: runsWithoutLandlock() };
    case 'replaced_path':
      return { results: { input: await runReplacedPath(bench) } };
    case 'release_time':
      return { released_at: releasedAt() };
    case 'unread':
      return { unread: true };
  }
}

async function runAll(probes: readonly ProbeCase[], bench: ProbeBench): Promise<JsonObject> {
  const results: Record<string, Json> = {};
  for (const probe of probes) results[probe.name] = await runProbeInside(probe, bench);
  return results;
}

async function runDescriptors(bench: ProbeBench): Promise<Json> {
  const above2 = (list: string): Json =>
    list
      .split(' ')
      .map(Number)
      .filter((fd) => fd > 2);
  // The list of descriptors is told through 7, and the request through 6; each is left out in turn.
  const all = await runProbeInside(probeOf('@descriptors'), bench);
  const without = await runProbeInside(probeOf('@only 3 6'), bench, { detail: false });
  return { protocol2: above2(all), open: without === 'answered 1' ? [3] : null };
}

/** This machine, as it would look without Landlock. */
function runsWithoutLandlock(): boolean {
  const { platform, arch: processArch } = process;
  const ownMaps = readFileSync('/proc/self/maps', 'latin1');
  const launcherLine = 'landlock=0 seccomp=1 memfd=1\n';
  const machine = { platform, processArch, uid: 1000, launcherPath: '', launcherLine, ownMaps };
  return decideKernelReport(machine).kind === 'usable';
}

const QUANTUM_MS = 1000;

/** Runs of every length from 1 ms to 5 s: all answers must leave at a whole number of quanta, the first that is left. */
function releasedAt(): string {
  const startedMs = 12_345.678;
  for (let tookMs = 1; tookMs <= 5000; tookMs++) {
    const atMs = tookMs + waitUntilRelease(startedMs, startedMs + tookMs, QUANTUM_MS);
    const quanta = atMs / QUANTUM_MS;
    const isNext = Math.abs(quanta - Math.ceil(tookMs / QUANTUM_MS)) < 1e-6;
    if (!isNext) return `${atMs} ms after the start of a run of ${tookMs} ms`;
  }
  return 'next answer_quantum';
}

/** The input is opened, then its path leads elsewhere: "EACCES" stands for a program that never saw the other file. */
async function runReplacedPath(bench: ProbeBench): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'lock-conformance-'));
  const path = join(folder, 'input');
  writeFileSync(path, '{"probe":"@text-of 3"}');
  const inputFd = openSync(path, 'r');
  try {
    renameSync(path, `${path}.old`);
    symlinkSync('/etc/passwd', path);
    const environment = { name: 'LOCKFILE_PLUGIN_PROTOCOL', value: '1' };
    const limits = { cpuS: 5, memoryBytes: 2 ** 27, timeoutMs: 10_000 };
    const end = await runSandboxed({ binary: bench.binary, inputFd, detail: true, environment, limits });
    const seen = end.kind === 'answered' ? String(end.detail) : '';
    return seen === '{"probe":"@text-of 3"}' ? 'EACCES' : 'ok';
  } finally {
    closeSync(inputFd);
    rmSync(folder, { recursive: true });
  }
}

async function runManyThreads(bench: ProbeBench): Promise<Json> {
  const account = process.getuid?.() === 0 ? { account: OTHER_ACCOUNT } : {};
  return { results: { threads: await runProbeInside(probeOf('@threads 1000'), bench, account) } };
}

function probeOf(step: string): ProbeCase {
  return { name: step.split(' ')[0] ?? '', attempt: '', steps: [step], expected: '', attack: '', bare: '' };
}

/** Codes of an expectation told in words: "EACCES or EPERM", "EAGAIN at the limit". */
const codesIn = (text: string): readonly string[] => text.match(/\bE[A-Z]{3,}\b/g) ?? [];
const isAnswer = (result: string): boolean => /^answered [01]$/.test(result) || result === 'ok';
/** Words of a probe that did what it tried; everything else is an error, a signal or a failed run. */
const isRefusal = (result: string): boolean =>
  /^E[A-Z0-9]+( after \d+)?$|^signal |^SIG|^timeout$|^output$|^exit /.test(result);

function judge(_input: JsonObject, expected: JsonObject, got: Json): string | null {
  const answer = got as JsonObject;
  if (answer['unread'] === true) return 'no probe is about these words';
  if ('runs' in expected) return answer['runs'] === expected['runs'] ? null : 'runs differs';
  if ('released_at' in expected)
    return answer['released_at'] === expected['released_at'] ? null : String(answer['released_at']);
  if ('close_on_exec' in expected)
    return JSON.stringify(answer['protocol2']) === '[3,6,7]' ? null : 'other descriptors are open';
  if ('open' in expected) {
    const same = (key: string): boolean => JSON.stringify(answer[key]) === JSON.stringify(expected[key]);
    return same('open') && same('protocol2') ? null : 'the open descriptors differ';
  }
  const results = Object.entries((answer['results'] ?? {}) as JsonObject);
  if (results.length === 0) return 'no result';
  for (const [name, result] of results) {
    const difference = judgeResult(expected, String(result));
    if (difference !== null) return `${name}: ${String(result)}, expected ${difference}`;
  }
  return null;
}

/** null, or what was expected. */
function judgeResult(expected: JsonObject, result: string): string | null {
  const { allowed } = expected;
  if (allowed === false && !isRefusal(result)) return 'a refusal';
  if (allowed === true && isRefusal(result)) return 'success';
  if (typeof expected['result'] === 'string' && codesIn(expected['result']).length > 0) {
    const codes = codesIn(expected['result']);
    if (!codes.some((code) => result === code || result.startsWith(`${code} after `)))
      return codes.join(' or ');
  }
  if (typeof expected['answer'] === 'number' && result !== `answered ${expected['answer']}`)
    return 'that answer';
  if (expected['answer'] === null && isAnswer(result)) return 'no answer';
  if (expected['answer'] === 'as status 0' && !isAnswer(result)) return 'an answer';
  if (expected['answer'] === 'not affected' && !isAnswer(result)) return 'an answer';
  if ('outcome' in expected && isAnswer(result)) return 'a failed run';
  return 'equals' in expected ? judgeEquals(expected['equals'] as Json, result) : null;
}

function judgeEquals(want: Json, result: string): string | null {
  const text =
    typeof want === 'string'
      ? want
      : Object.entries(want as JsonObject)
          .map(([name, value]) => `${name}=${String(value)};`)
          .join('');
  return result === text ? null : text;
}

const sandbox: Kind = { run, judge };

export const kinds: Kinds = { sandbox };
