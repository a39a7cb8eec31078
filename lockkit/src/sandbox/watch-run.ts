// Watches one launched process from its spec to its last byte: start, output, time, end. Called by run-sandboxed.ts.
// It must never trust the process: streams are bounded, the clock starts when the launcher is gone, and the whole
// group is killed by SIGKILL when it is late, says too much, or is no longer wanted.
import type { ChildProcess } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import type { Duplex, Readable } from 'node:stream';
import { sampleCpuMs } from './cpu-sample.js';
import { type LaunchStatus, parseLaunchStatus, STATUS_BYTES } from './launch-status.js';
import type { SandboxPlan } from './run-sandboxed.js';
import type { RunObservation, SandboxMeasures } from './sandbox-end.js';
import { drainStream } from './stream-drain.js';

export interface WatchedRun {
  /** Sends the spec and wipes it. */
  readonly sendSpec: (spec: Buffer) => void;
  readonly ended: Promise<{
    readonly seen: RunObservation;
    readonly measures: SandboxMeasures;
    readonly detail: Buffer | null;
  }>;
}

export const DETAIL_BYTES = 4096;
const ANSWER_BYTES = 2;
/** The launcher needs some milliseconds; a machine that cannot run it in this time cannot run the program either. */
const LAUNCH_TIMEOUT_MS = 10_000;
/** How long after the end of the process its streams may stay open; nothing is left that could hold them. */
const STREAMS_TIMEOUT_MS = 2_000;

/** `child` is the launcher, just spawned. */
export function watchRun(child: ChildProcess, plan: SandboxPlan): WatchedRun {
  const pid = child.pid as number;
  const [, stdout, stderr, , spec, , , detail] = child.stdio as readonly (Readable | null)[];
  let stopped: 'launch' | RunObservation['stopped'] = null;
  let exit: { readonly status: number | null; readonly signal: string | null; readonly atMs: number } | null =
    null;
  let startedAtMs: number | null = null;
  let cpuMs = 0;

  const stop = (reason: 'launch' | 'aborted' | 'timeout' | null): void => {
    if (exit !== null) return; // its pid may be another's by now
    stopped ??= reason;
    killGroup(pid);
  };
  const abort = (): void => stop('aborted');
  plan.signal?.addEventListener('abort', abort, { once: true });
  let timer = setTimeout(() => stop('launch'), LAUNCH_TIMEOUT_MS);

  const status = drainStream(spec as Readable, STATUS_BYTES + 1);
  const answer = drainStream(
    stdout as Readable,
    ANSWER_BYTES + 1,
    (total) => total > ANSWER_BYTES && stop(null),
  );
  const noise = drainStream(stderr as Readable, 0);
  const note = detail instanceof Object && plan.detail ? drainStream(detail, DETAIL_BYTES) : null;
  for (const stream of [stdout, stderr])
    stream?.once('end', () => (cpuMs = Math.max(cpuMs, sampleCpuMs(pid))));
  (spec as Readable).once('end', () => {
    startedAtMs = performance.now();
    clearTimeout(timer);
    if (exit === null) timer = setTimeout(() => stop('timeout'), plan.limits.timeoutMs);
  });

  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('exit', (code, signal) => {
      exit = { status: code, signal, atMs: performance.now() };
      clearTimeout(timer);
      for (const drain of [answer, noise, note]) drain?.hurry();
      timer = setTimeout(() => child.stdio.forEach((stream) => stream?.destroy()), STREAMS_TIMEOUT_MS);
    });
  }).then(() => {
    clearTimeout(timer);
    plan.signal?.removeEventListener('abort', abort);
    const { status: exitStatus = null, signal = null, atMs = 0 } = exit ?? {};
    return {
      seen: {
        launch: stopped === 'launch' ? LAUNCH_TOO_SLOW : parseLaunchStatus(status.kept()),
        stopped: stopped === 'launch' ? null : stopped,
        timeoutMs: plan.limits.timeoutMs,
        stdout: answer.kept(),
        stdoutBytes: answer.totalBytes(),
        signal,
        exitStatus,
      },
      measures: {
        cpuMs,
        wallMs: startedAtMs === null ? 0 : atMs - startedAtMs,
        stderrBytes: noise.totalBytes(),
      },
      detail: note === null ? null : note.kept(),
    };
  });
  return { sendSpec: (bytes) => sendAndWipe(spec as Duplex, bytes), ended };
}

const LAUNCH_TOO_SLOW: LaunchStatus = { kind: 'failed', stage: 'timeout', errno: 0 };

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It ended by itself a moment ago.
  }
}

/** The spec holds what the human typed. */
function sendAndWipe(spec: Duplex, bytes: Buffer): void {
  spec.write(bytes, () => bytes.fill(0));
}
