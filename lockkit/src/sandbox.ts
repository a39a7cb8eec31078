// lockkit/sandbox: run an untrusted static program on one file and get one bit. The manual is docs/sandbox.md.
// Imported by a lock's console, never by anything that an agent loads.
export {
  type BinaryRefusal,
  type BinaryStore,
  MAX_BINARY_BYTES,
  openBinaryStore,
  type StoredBinary,
} from './sandbox/binary-store.js';
export type { SandboxLimits } from './sandbox/limit-plan.js';
export {
  type KernelProblem,
  type KernelReport,
  decideKernelReport,
  probeKernel,
  type ProbedMachine,
  SandboxUnavailable,
  type UsableKernel,
} from './sandbox/probe-kernel.js';
export { MAX_INPUTS_BYTES, runSandboxed, type SandboxPlan } from './sandbox/run-sandboxed.js';
export {
  type FailureCause,
  renderFailureCause,
  type SandboxEnd,
  type SandboxMeasures,
} from './sandbox/sandbox-end.js';
export { requireSandbox, runSelfTest } from './sandbox/self-test.js';
