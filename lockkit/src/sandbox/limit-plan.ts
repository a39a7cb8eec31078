// The resource limits of a run. Called when a launch spec is written; the launcher sets them and counts the tasks.
// It must never give a value that raises a limit of the console: the launcher keeps whatever is lower already.
// Contract page, "Runtime", row Limits.

export interface SandboxLimits {
  /** Whole CPU seconds, at least 1. */
  readonly cpuS: number;
  readonly memoryBytes: number;
  /** Wall clock from the start of the program to SIGKILL of its group. */
  readonly timeoutMs: number;
}

export interface ResourceLimit {
  readonly name: string;
  readonly resource: number;
  readonly soft: bigint;
  readonly hard: bigint;
}

const STACK_BYTES = 8 * 1024 * 1024;
/** Room for address space that run times only reserve; past `memoryBytes` it can only be read. */
const SPARE_ADDRESS_BYTES = 4 * 1024 ** 3;
/** How many tasks more than the account runs when the program starts. */
export const SPARE_TASKS = 512;
/** Bounds what pipes can hoard in the kernel; Go, Rust and C need fewer than 10. */
const OPEN_FILES = 64;

/** Numbers of <asm-generic/resource.h>, the same on x64 and arm64. */
export function planLimits({ cpuS, memoryBytes }: SandboxLimits): readonly ResourceLimit[] {
  if (!Number.isSafeInteger(cpuS) || cpuS < 1) throw new Error('sandbox: cpuS is a whole number from 1');
  if (!Number.isSafeInteger(memoryBytes) || memoryBytes < 1)
    throw new Error('sandbox: memoryBytes is a whole number');
  const both = (name: string, resource: number, value: number): ResourceLimit => ({
    name,
    resource,
    soft: BigInt(value),
    hard: BigInt(value),
  });
  return [
    // SIGXCPU first, which says why; SIGKILL a second later for a program that ignores it.
    { ...both('cpu', 0, cpuS), hard: BigInt(cpuS + 1) },
    both('file size', 1, 0),
    both('data', 2, memoryBytes),
    both('stack', 3, STACK_BYTES),
    both('core', 4, 0),
    both('open files', 7, OPEN_FILES),
    both('locked memory', 8, 0),
    both('address space', 9, memoryBytes + SPARE_ADDRESS_BYTES),
    both('pending signals', 11, 256),
    both('message queues', 12, 0),
  ];
}
