// From what the connection brought back to what the agent gets ("Output" of the page): cut, masked, counted.
// Called by handle-run.ts. Clear text leaves only where the caller says so, by a human's ticket.
import type { Masker, MaskedText } from 'lockkit/masking';
import type { RunEnd } from '../connection/run-line.js';
import type { SshPolicy } from '../contract/profile.js';

/** Text that a human allowed to leave unmasked: a type of its own, so that it is never made by accident. */
export type ClearByTicket = string & { readonly clearByTicket: unique symbol };

export interface RunDone {
  readonly status: 'done';
  readonly exit_status?: number;
  readonly signal?: string;
  readonly timed_out?: true;
  readonly stdout: MaskedText | ClearByTicket;
  readonly stderr: MaskedText | ClearByTicket;
  readonly stdout_truncated: boolean;
  readonly stderr_truncated: boolean;
  readonly duration_ms: number;
  readonly ended: 'confirmed' | 'unknown';
  readonly masked: Readonly<Record<string, number>>;
}

interface Shown {
  readonly text: MaskedText | ClearByTicket;
  readonly masked: Readonly<Record<string, number>>;
}

function showStream(
  bytes: Buffer,
  end: 'complete' | 'cut',
  maxBytes: number,
  masker: Masker,
  clear: boolean,
): Shown {
  if (clear) return { text: bytes.subarray(0, maxBytes).toString('utf8') as ClearByTicket, masked: {} };
  return masker.mask(bytes, { cutAtBytes: maxBytes, ended: end });
}

function addCounts(
  a: Readonly<Record<string, number>>,
  b: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const sum: Record<string, number> = { ...a };
  for (const [kind, count] of Object.entries(b)) sum[kind] = (sum[kind] ?? 0) + count;
  return sum;
}

function howItEnded(end: RunEnd): Pick<RunDone, 'exit_status' | 'signal' | 'timed_out'> {
  if (end.kind === 'timed_out') return { timed_out: true };
  if (end.signal !== undefined) return { signal: end.signal };
  return end.exitStatus === undefined ? {} : { exit_status: end.exitStatus };
}

export function runResult(
  end: RunEnd,
  policy: SshPolicy,
  masker: Masker,
  clear: boolean,
): { readonly result: RunDone; readonly record: Readonly<Record<string, unknown>> } {
  const maxBytes = policy.limits.max_output_bytes;
  const stdout = showStream(end.stdout, end.stdoutEnd, maxBytes, masker, clear);
  const stderr = showStream(end.stderr, end.stderrEnd, maxBytes, masker, clear);
  const masked = addCounts(stdout.masked, stderr.masked);
  const ending = { ...howItEnded(end), ended: end.ended };
  const result: RunDone = {
    status: 'done',
    ...ending,
    stdout: stdout.text,
    stderr: stderr.text,
    stdout_truncated: end.stdoutTruncated,
    stderr_truncated: end.stderrTruncated,
    duration_ms: Math.round(end.durationMs),
    masked,
  };
  const sizes = {
    stdout_bytes: end.stdout.length,
    stderr_bytes: end.stderr.length,
    duration_ms: result.duration_ms,
  };
  return { result, record: { ...ending, ...sizes, masked, ...(clear ? { clear: true } : {}) } };
}
