// Runs one stored program on one file, alone: no path, no network, no other process, bounded in time and memory.
// Called by a lock's console; the answer or the cause of a failure comes back as data. It must never answer for a
// program that did not exit with status 0, and never run one without every restriction: the launcher ends first.
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { isMainThread } from 'node:worker_threads';
import { Fault } from '../contract/fault.js';
import type { Architecture } from './architecture.js';
import { assembleFilter, type BpfInstruction } from './assemble-filter.js';
import type { StoredBinary } from './binary-store.js';
import { planLandlock } from './landlock-plan.js';
import { COMPAT_LAYOUT, encodeLaunchSpec, type LaunchSpec, writeOwnPid } from './launch-spec.js';
import { planLimits, SPARE_TASKS, type SandboxLimits } from './limit-plan.js';
import { decideEnd, type FailureCause, type SandboxEnd } from './sandbox-end.js';
import { type PolicyRule, SECCOMP_POLICY } from './seccomp-policy.js';
import { watchRun } from './watch-run.js';

export interface SandboxPlan {
  readonly binary: StoredBinary;
  /** A regular file, open for reading; the program gets its own read-only opening of it as fd 3, from offset 0. */
  readonly inputFd: number;
  /** Canonical JSON of the typed values, given as fd 6 (sealed); at most 32 KiB. */
  readonly inputs?: Uint8Array;
  /** True: the program gets fd 7, of which the first 4 KiB are kept. */
  readonly detail: boolean;
  /** The only variable of its environment. */
  readonly environment: { readonly name: string; readonly value: string };
  readonly limits: SandboxLimits;
  /** Stops the run; it then ends as failed, cause `aborted`. */
  readonly signal?: AbortSignal;
}

export const MAX_INPUTS_BYTES = 32 * 1024;
/** argv of every program: the contract gives it nothing to read there. */
const ARGV = ['plugin'];

/**
 * Resolves when the program is gone. Throws a Fault when the input cannot be opened again, a plain Error for a plan
 * that no caller may make. Runs of one binary happen one after the other. Contract page, "Runtime" and "Answer".
 */
export async function runSandboxed(plan: SandboxPlan): Promise<SandboxEnd> {
  return runUnder(plan, {});
}

/** For tests: another policy, or (as root) another account. Not part of the package's entry. */
export interface TestConditions {
  readonly policy?: readonly PolicyRule[];
  readonly account?: { readonly uid: number; readonly gid: number };
}

export async function runUnder(plan: SandboxPlan, conditions: TestConditions): Promise<SandboxEnd> {
  checkPlan(plan);
  return plan.binary.exclusively(() => runAlone(plan, conditions));
}

function checkPlan({ inputFd, inputs, environment }: SandboxPlan): void {
  // The program dies with the thread that started it (PR_SET_PDEATHSIG); only the main thread lives as long as the console.
  if (!isMainThread) throw new Error('sandbox: run from the main thread');
  if (!fstatSync(inputFd).isFile()) throw new Error('sandbox: the input is not a regular file');
  if ((inputs?.length ?? 0) > MAX_INPUTS_BYTES) throw new Error('sandbox: the inputs are too large');
  if (!/^[A-Z_]{1,64}$/.test(environment.name)) throw new Error('sandbox: name of the environment variable');
}

async function runAlone(plan: SandboxPlan, conditions: TestConditions): Promise<SandboxEnd> {
  if (plan.signal?.aborted === true) return notStarted({ kind: 'aborted' });
  const spec = specFor(plan, conditions.policy ?? SECCOMP_POLICY);
  const bytes = encodeLaunchSpec(spec);
  const child = startLauncher(plan, conditions.account ?? {});
  if (child.pid === undefined) return notStarted(await spawnFailure(child));
  // The launcher waits for nothing else: it goes first.
  writeOwnPid(bytes, spec, child.pid);
  sendAndWipe(child.stdio[4] as Duplex, bytes);
  const { seen, measures, detail } = await watchRun(child, plan);
  const end = decideEnd(seen);
  if ('cause' in end) return { kind: 'failed', cause: end.cause, ...measures };
  return { kind: 'answered', answer: end.answer, ...measures, ...(detail === null ? {} : { detail }) };
}

/** Descriptors 0 to 7 as the launcher expects them; its own session, so that its group can be killed. */
function startLauncher(
  plan: SandboxPlan,
  account: { readonly uid?: number; readonly gid?: number },
): ChildProcess {
  const input = reopenReadOnly(plan.inputFd);
  try {
    return spawn(plan.binary.kernel.launcherPath, [], {
      stdio: [
        'ignore',
        'pipe',
        'pipe',
        input,
        'pipe',
        plan.binary.fd,
        'ignore',
        plan.detail ? 'pipe' : 'ignore',
      ],
      env: {},
      cwd: '/',
      detached: true,
      ...account,
    });
  } finally {
    closeSync(input);
  }
}

/** An opening of its own: offset and flags are not shared with the console or with another run. */
function reopenReadOnly(fd: number): number {
  try {
    return openSync(`/proc/self/fd/${fd}`, constants.O_RDONLY);
  } catch (error) {
    throw new Fault(
      'E_INTERNAL',
      `sandbox: the input cannot be opened again (${(error as NodeJS.ErrnoException).code})`,
    );
  }
}

function specFor(plan: SandboxPlan, policy: readonly PolicyRule[]): LaunchSpec {
  const { architecture, landlockAbi } = plan.binary.kernel;
  return {
    parentPid: process.pid,
    argv: ARGV,
    environment: [plan.environment],
    limits: planLimits(plan.limits),
    filter: filterOf(policy, architecture),
    landlock: planLandlock(landlockAbi),
    personality: COMPAT_LAYOUT,
    spareTasks: SPARE_TASKS,
    inputs: plan.inputs ?? null,
    detail: plan.detail,
  };
}

/** The spec holds what the human typed. */
function sendAndWipe(socket: Duplex, bytes: Buffer): void {
  socket.on('error', () => {});
  socket.write(bytes, () => bytes.fill(0));
}

const filters = new WeakMap<readonly PolicyRule[], readonly BpfInstruction[]>();

/** Assembled once: the processor does not change while we run. */
function filterOf(policy: readonly PolicyRule[], architecture: Architecture): readonly BpfInstruction[] {
  const known = filters.get(policy) ?? assembleFilter(policy, architecture);
  filters.set(policy, known);
  return known;
}

async function spawnFailure(child: ChildProcess): Promise<FailureCause> {
  const error = await new Promise<NodeJS.ErrnoException>((resolve) => child.once('error', resolve));
  return { kind: 'launch', stage: 'spawn', errno: Math.abs(error.errno ?? 0) };
}

function notStarted(cause: FailureCause): SandboxEnd {
  return { kind: 'failed', cause, cpuMs: 0, wallMs: 0, stderrBytes: 0 };
}
