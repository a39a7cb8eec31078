// Runs one probe inside the sandbox, or bare, and says in one word how it went. Called by the sandbox's tests and by
// the conformance suite. It must never judge: a probe's `expected` does.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, copyFileSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { StoredBinary } from '../binary-store.js';
import { runUnder, type TestConditions } from '../run-sandboxed.js';
import { decideEnd, type FailureCause } from '../sandbox-end.js';
import { drainStream } from '../stream-drain.js';
import type { ProbeCase } from './probe-case.js';

/** `detail: false` leaves out descriptor 7; the result is then only "answered 1" (no error) or "answered 0". */
export interface ProbeConditions extends TestConditions {
  readonly detail?: boolean;
}

export interface ProbeBench {
  /** The probe program, stored. */
  readonly binary: StoredBinary;
  /** The same as a file, for bare runs. */
  readonly programPath: string;
  readonly numbers: ReadonlyMap<string, number>;
}

const ENVIRONMENT = { name: 'LOCKFILE_PLUGIN_PROTOCOL', value: '1' };
const MEMORY_BYTES = 128 * 1024 * 1024;
/** Magic, class 32-bit, little endian, type executable, machine 386. */
const I386_HEADER = Buffer.from('7f454c4601010100000000000000000002000300010000', 'hex');

/** False where this machine's headers do not know a call that the probe makes, or the probe is for another processor. */
export function canTry(probe: ProbeCase, bench: ProbeBench): boolean {
  if (probe.on !== undefined && probe.on !== process.arch) return false;
  return probe.steps.every((step) => encodeStep(step, bench.numbers) !== null);
}

/** Inside the sandbox; in tests under another policy, account, or without detail. */
export async function runProbeInside(
  probe: ProbeCase,
  bench: ProbeBench,
  conditions: ProbeConditions = {},
): Promise<string> {
  return runRequest(probe, requestOf([probe], bench.numbers), bench, conditions);
}

/**
 * Many probes in one process, for those that are refused and so leave nothing behind. One result a probe; fewer when
 * one of them ended the process.
 */
export async function runProbesTogether(
  probes: readonly ProbeCase[],
  bench: ProbeBench,
): Promise<readonly string[]> {
  const [first] = probes;
  if (first === undefined) return [];
  return (await runRequest(first, requestOf(probes, bench.numbers), bench, {})).split('|');
}

async function runRequest(
  probe: ProbeCase,
  request: string,
  bench: ProbeBench,
  conditions: ProbeConditions,
): Promise<string> {
  const { cpuS = 5, timeoutMs = 10_000 } = probe.limits ?? {};
  const limits = { cpuS, memoryBytes: MEMORY_BYTES, timeoutMs };
  const inputs = Buffer.from(request);
  const { binary } = bench;
  return withInput(probe, bench, async (inputFd) => {
    const plan = {
      binary,
      inputFd,
      inputs,
      detail: conditions.detail ?? true,
      environment: ENVIRONMENT,
      limits,
    };
    const end = await runUnder(plan, conditions);
    if (end.kind === 'failed') return wordOf(end.cause);
    // A flood is no report.
    const told = String(end.detail ?? '').replaceAll('\0', '');
    return told === '' ? `answered ${end.answer}` : told;
  });
}

/** The same program with the same descriptors and nothing that holds it. */
export async function runProbeBare(probe: ProbeCase, bench: ProbeBench): Promise<string> {
  return withInput(probe, bench, async (inputFd, folder) => {
    writeFileSync(join(folder, 'inputs'), requestOf([probe], bench.numbers));
    const inputs = openSync(join(folder, 'inputs'), 'r');
    const child = spawn(bench.programPath, [], {
      stdio: ['ignore', 'pipe', 'pipe', inputFd, 'ignore', 'ignore', inputs, 'pipe'],
      env: {},
      cwd: '/',
    });
    closeSync(inputs);
    return watchBare(child, probe.limits?.timeoutMs ?? 10_000);
  });
}

async function watchBare(child: ReturnType<typeof spawn>, timeoutMs: number): Promise<string> {
  const [, stdout, stderr, , , , , report] = child.stdio as readonly (Readable | null)[];
  let late = false;
  const kill = (): void =>
    void (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL'));
  const timer = setTimeout(() => {
    late = true;
    kill();
  }, timeoutMs);
  const answer = drainStream(stdout as Readable, 3, (total) => total > 2 && kill());
  drainStream(stderr as Readable, 0);
  const words = drainStream(report as Readable, 4096);
  const [exitStatus, signal] = (await once(child, 'close')) as [number | null, string | null];
  clearTimeout(timer);
  const seen = { stdout: answer.kept(), stdoutBytes: answer.totalBytes(), signal, exitStatus, timeoutMs };
  const end = decideEnd({ ...seen, launch: { kind: 'running' }, stopped: late ? 'timeout' : null });
  if (words.totalBytes() > 0) return String(words.kept());
  return 'cause' in end ? wordOf(end.cause) : `answered ${end.answer}`;
}

function wordOf(cause: FailureCause): string {
  switch (cause.kind) {
    case 'signal':
      return `signal ${cause.signal}`;
    case 'exit_status':
      return `exit ${cause.status}`;
    case 'launch':
      return `launch ${cause.stage} ${cause.errno}`;
    case 'wrong_output':
      return 'output';
    default:
      return cause.kind;
  }
}

function requestOf(probes: readonly ProbeCase[], numbers: ReadonlyMap<string, number>): string {
  const lists = probes.map(({ steps }) => steps.map((step) => encodeStep(step, numbers)).join(';'));
  return JSON.stringify({ probe: lists.join('|') });
}

/** The step with the call's number in place of its name; null for a name that this machine does not know. */
function encodeStep(step: string, numbers: ReadonlyMap<string, number>): string | null {
  const [, mark = '', call = '', rest = ''] = /^(~?)(\S+)(.*)$/s.exec(step) ?? [];
  const number = /^[a-z]/.test(call) ? numbers.get(call) : call;
  return number === undefined ? null : `${mark}${number}${rest.replaceAll('$PPID', String(process.pid))}`;
}

async function withInput(
  probe: ProbeCase,
  bench: ProbeBench,
  run: (inputFd: number, folder: string) => Promise<string>,
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'lock-probe-'));
  const path = join(folder, 'input');
  writeInput(path, probe, bench);
  const fd = openSync(path, 'r');
  try {
    return await run(fd, folder);
  } finally {
    closeSync(fd);
    rmSync(folder, { recursive: true });
  }
}

function writeInput(path: string, probe: ProbeCase, bench: ProbeBench): void {
  const mode = { mode: 0o755 };
  if (probe.input === 'program') copyFileSync(bench.programPath, path);
  else if (probe.input === 'script') writeFileSync(path, '#!/bin/sh\nexit 0\n', mode);
  else if (probe.input === 'i386') writeFileSync(path, Buffer.concat([I386_HEADER, Buffer.alloc(64)]), mode);
  else writeFileSync(path, 'probe input\n', mode);
}
