// How a sandboxed run ends: an answer, or a failure with one cause out of a closed list. Pure; run-sandboxed.ts
// collects the observations. A cause holds numbers and names of signals only, never a byte that the program wrote,
// and is for the audit: the agent gets one code for all of them. Contract page, "Answer".
import type { LaunchStage, LaunchStatus } from './launch-status.js';
import { parseAnswer } from './strict-answer.js';

export type FailureCause =
  | { readonly kind: 'launch'; readonly stage: LaunchStage; readonly errno: number }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'timeout'; readonly timeoutMs: number }
  /** More or other bytes than an answer, or none; the count, up to where the program was stopped. */
  | { readonly kind: 'wrong_output'; readonly stdoutBytes: number }
  | { readonly kind: 'signal'; readonly signal: string }
  | { readonly kind: 'exit_status'; readonly status: number };

export interface SandboxMeasures {
  /** Processor time as last seen before the process was gone; a lower bound, exact for one thread. */
  readonly cpuMs: number;
  /** From the start of the program to its end. */
  readonly wallMs: number;
  readonly stderrBytes: number;
}

export type SandboxEnd = SandboxMeasures &
  (
    | { readonly kind: 'answered'; readonly answer: 0 | 1; readonly detail?: Buffer }
    | { readonly kind: 'failed'; readonly cause: FailureCause }
  );

/** Everything that was seen of one run. */
export interface RunObservation {
  readonly launch: LaunchStatus;
  readonly stopped: 'aborted' | 'timeout' | null;
  readonly timeoutMs: number;
  /** At most the first three bytes. */
  readonly stdout: Buffer;
  readonly stdoutBytes: number;
  readonly signal: string | null;
  readonly exitStatus: number | null;
}

/** The answer, or the first cause in the order of what explains the others. */
export function decideEnd(
  seen: RunObservation,
): { readonly answer: 0 | 1 } | { readonly cause: FailureCause } {
  if (seen.launch.kind === 'failed')
    return { cause: { kind: 'launch', stage: seen.launch.stage, errno: seen.launch.errno } };
  if (seen.stopped === 'aborted') return { cause: { kind: 'aborted' } };
  if (seen.stopped === 'timeout') return { cause: { kind: 'timeout', timeoutMs: seen.timeoutMs } };
  const wrongOutput = { cause: { kind: 'wrong_output', stdoutBytes: seen.stdoutBytes } } as const;
  if (seen.stdoutBytes > 2) return wrongOutput;
  if (seen.signal !== null) return { cause: { kind: 'signal', signal: seen.signal } };
  if (seen.exitStatus !== 0) return { cause: { kind: 'exit_status', status: seen.exitStatus ?? -1 } };
  const answer = parseAnswer(seen.stdout, seen.stdoutBytes);
  return answer === null ? wrongOutput : { answer };
}

/** One line for the audit and for plugin authors. */
export function renderFailureCause(cause: FailureCause): string {
  switch (cause.kind) {
    case 'launch':
      return `did not start: step ${cause.stage}, errno ${cause.errno}`;
    case 'aborted':
      return 'stopped by the console';
    case 'timeout':
      return `still running after ${cause.timeoutMs} ms`;
    case 'wrong_output':
      return `wrote ${cause.stdoutBytes} bytes that are not an answer`;
    case 'signal':
      return `ended by ${cause.signal}`;
    case 'exit_status':
      return `exited with status ${cause.status}`;
  }
}
