// Tries the sandbox for real before a console serves anyone: five attempts inside, each of which must go one way only.
// Called once at the start. It must never be skipped because the kernel's own list of features looked complete.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { selfTestPath } from './built-program.js';
import { openBinaryStore } from './binary-store.js';
import { type KernelProblem, probeKernel, SandboxUnavailable, type UsableKernel } from './probe-kernel.js';
import { runSandboxed } from './run-sandboxed.js';
import { renderFailureCause, type SandboxEnd } from './sandbox-end.js';

const LIMITS = { cpuS: 2, memoryBytes: 16 * 1024 * 1024, timeoutMs: 5_000 };

/** No problems, or those that were found: the attempts are open, socket, fork, kill, own-binary. */
export async function runSelfTest(
  kernel: UsableKernel,
  programPath: string = selfTestPath(),
): Promise<readonly KernelProblem[]> {
  const store = openBinaryStore(kernel);
  try {
    const stored = await store.store(programPath, hashOf(programPath));
    if (!stored.ok) return [problem(`the self-test program is ${stored.code}`)];
    const binary = stored.value;
    const environment = { name: 'LOCK_SELF_TEST', value: '1' };
    const end = await runSandboxed({ binary, inputFd: binary.fd, detail: true, environment, limits: LIMITS });
    return judgeSelfTest(end);
  } finally {
    store.close();
  }
}

/** A usable kernel whose sandbox was just seen to work, or a `SandboxUnavailable` that says what is missing. */
export async function requireSandbox(): Promise<UsableKernel> {
  const report = probeKernel();
  if (report.kind === 'unusable') throw new SandboxUnavailable(report.problems);
  const problems = await runSelfTest(report);
  if (problems.length > 0) throw new SandboxUnavailable(problems);
  return report;
}

/** Pure. The detail is the name of every attempt that went the wrong way. */
export function judgeSelfTest(end: SandboxEnd): readonly KernelProblem[] {
  if (end.kind === 'failed') return [problem(`the self-test ${renderFailureCause(end.cause)}`)];
  if (end.answer === 1) return [];
  return [problem(`the sandbox did not hold: ${end.detail?.toString('latin1').trim() ?? 'unknown attempt'}`)];
}

/** The program comes from the same build as this file; the hash only lets the store take it in. */
function hashOf(path: string): string {
  try {
    return createHash('sha256').update(readFileSync(path)).digest('hex');
  } catch {
    return '';
  }
}

function problem(reason: string): KernelProblem {
  return { code: 'self_test', reason };
}
