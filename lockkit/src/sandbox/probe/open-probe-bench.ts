// Puts the probe program into a binary store, ready to run. Called once per test file or conformance run.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { openBinaryStore } from '../binary-store.js';
import { requireSandbox } from '../self-test.js';
import { buildProbeProgram, readSyscallNumbers } from './probe-program.js';
import type { ProbeBench } from './run-probe.js';

/** Throws SandboxUnavailable where there is no sandbox, an Error where the compiler fails. */
export async function openProbeBench(): Promise<ProbeBench> {
  const programPath = buildProbeProgram();
  const store = openBinaryStore(await requireSandbox());
  const stored = await store.store(
    programPath,
    createHash('sha256').update(readFileSync(programPath)).digest('hex'),
  );
  if (!stored.ok) throw new Error(`probe program: ${stored.code}`);
  return { binary: stored.value, programPath, numbers: readSyscallNumbers() };
}
