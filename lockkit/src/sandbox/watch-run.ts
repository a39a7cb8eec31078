// Watches one launched process from its start to its last byte: start, output, time, end. Called by run-sandboxed.ts.
// It must never trust the process: streams are bounded, the clock starts when the launcher is gone, and the whole
// group is killed by SIGKILL when it is late, says too much, or is no longer wanted.
import type { ChildProcess } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import type { Readable } from 'node:stream';
import { sampleCpuMs } from './cpu-sample.js';
import { parseLaunchStatus, STATUS_BYTES } from './launch-status.js';
import type { SandboxPlan } from './run-sandboxed.js';
import type { RunObservation, SandboxMeasures } from './sandbox-end.js';
import { drainStream } from './stream-drain.js';

export interface WatchedRun {
  readonly seen: RunObservation;
  readonly measures: SandboxMeasures;
  readonly detail: Buffer | null;
}

const DETAIL_BYTES = 4096;
const ANSWER_BYTES = 2;
/** The launcher needs some milliseconds; a machine that cannot run it in this time cannot run the program either. */
const LAUNCH_TIMEOUT_MS = 10_000;
/** How long after the end of the process its streams may stay open; nothing is left that could hold them. */
const STREAMS_TIMEOUT_MS = 2_000;

/** `child` is the launcher, just spawned. Resolves when it is gone and its streams are read. */
export async function watchRun(child: ChildProcess, plan: SandboxPlan): Promise<WatchedRun> {
  const [, stdout, stderr, , spec, , , note] = child.stdio as readonly (Readable | null)[];
  const life = watchLife(child, plan, spec as Readable);
  const status = drainStream(spec as Readable, STATUS_BYTES + 1);
  const answer = drainStream(stdout as Readable, ANSWER_BYTES + 1, (bytes) => {
    if (bytes > ANSWER_BYTES) life.kill();
  });
  const noise = drainStream(stderr as Readable, 0);
  const detail = plan.detail ? drainStream(note as Readable, DETAIL_BYTES) : null;
  child.once('exit', () => [answer, noise, detail].forEach((drain) => drain?.hurry()));
  await new Promise((resolve) => child.once('close', resolve));
  const { stopped, exit, measures } = life.end();
  const outcome = stopped === 'launch' ? TOO_SLOW : { launch: parseLaunchStatus(status.kept()), stopped };
  const output = { stdout: answer.kept(), stdoutBytes: answer.totalBytes() };
  return {
    seen: { ...outcome, ...output, ...exit, timeoutMs: plan.limits.timeoutMs },
    measures: { ...measures, stderrBytes: noise.totalBytes() },
    detail: detail?.kept() ?? null,
  };
}

const TOO_SLOW = { launch: { kind: 'failed', stage: 'timeout', errno: 0 }, stopped: null } as const;

interface Life {
  readonly kill: () => void;
  /** After the last stream has closed. */
  readonly end: () => {
    readonly stopped: RunObservation['stopped'] | 'launch';
    readonly exit: Pick<RunObservation, 'exitStatus' | 'signal'>;
    readonly measures: Omit<SandboxMeasures, 'stderrBytes'>;
  };
}

/** The clocks of a run. `spec` ends when the launcher has become the program, or is gone. */
function watchLife(child: ChildProcess, plan: SandboxPlan, spec: Readable): Life {
  const pid = child.pid as number;
  const exit = { exitStatus: null as number | null, signal: null as string | null };
  let stopped: ReturnType<Life['end']>['stopped'] = null;
  let gone = false;
  let cpuMs = 0;
  let startedAtMs = Number.NaN;
  let endedAtMs = Number.NaN;
  // Once it is gone its pid may be another's.
  const kill = (): void => void (gone || killGroup(pid));
  const stop = (reason: typeof stopped): void => {
    if (!gone) stopped ??= reason;
    kill();
  };
  const abort = (): void => stop('aborted');
  let timer = setTimeout(stop, LAUNCH_TIMEOUT_MS, 'launch');
  const restart = (work: () => void, afterMs: number): void => {
    clearTimeout(timer);
    timer = setTimeout(work, afterMs);
  };
  plan.signal?.addEventListener('abort', abort, { once: true });
  spec.once('end', () => {
    startedAtMs = performance.now();
    if (!gone) restart(() => stop('timeout'), plan.limits.timeoutMs);
  });
  // All its streams end together when it ends, and it is still there then.
  child.stdout?.once('end', () => (cpuMs = sampleCpuMs(pid)));
  child.once('exit', (exitStatus, signal) => {
    Object.assign(exit, { exitStatus, signal });
    gone = true;
    endedAtMs = performance.now();
    restart(() => child.stdio.forEach((stream) => stream?.destroy()), STREAMS_TIMEOUT_MS);
  });
  const end: Life['end'] = () => {
    clearTimeout(timer);
    plan.signal?.removeEventListener('abort', abort);
    // Not a number when it never started.
    return { stopped, exit, measures: { cpuMs, wallMs: Math.max(0, endedAtMs - startedAtMs) || 0 } };
  };
  return { kill, end };
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It ended by itself a moment ago.
  }
}
