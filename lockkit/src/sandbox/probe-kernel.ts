// Asks this machine, before anything is served, whether it can hold a program the way the contract promises.
// Called by a console at its start. It must never say "usable" when something is missing: there is no run without a
// sandbox, and only a usable kernel opens a binary store. The self-test then tries the same for real.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { type Architecture, architectureOf } from './architecture.js';
import { launcherPath as builtLauncher } from './built-program.js';

/** What was found missing; `reason` is a sentence for the human. */
export interface KernelProblem {
  readonly code:
    | 'platform'
    | 'processor'
    | 'launcher'
    | 'landlock'
    | 'seccomp'
    | 'memfd'
    | 'proc'
    | 'address_layout'
    | 'self_test';
  readonly reason: string;
}

export interface UsableKernel {
  readonly kind: 'usable';
  readonly launcherPath: string;
  readonly architecture: Architecture;
  readonly landlockAbi: number;
  /** False for uid 0: the kernel counts its tasks but never refuses one. */
  readonly tasksBounded: boolean;
}

export type KernelReport =
  UsableKernel | { readonly kind: 'unusable'; readonly problems: readonly KernelProblem[] };

/** Thrown by `requireSandbox`; its message is for the human at the console. */
export class SandboxUnavailable extends Error {
  override readonly name = 'SandboxUnavailable';
  readonly problems: readonly KernelProblem[];

  constructor(problems: readonly KernelProblem[]) {
    super(`no sandbox on this machine: ${problems.map(({ reason }) => reason).join('; ')}`);
    this.problems = problems;
  }
}

/** The world as far as the probe looks at it. */
export interface ProbedMachine {
  readonly platform: string;
  readonly processArch: string;
  readonly uid: number;
  readonly launcherPath: string;
  /** The line that `lock-launcher --probe` prints, or null when it did not run. */
  readonly launcherLine: string | null;
  /** /proc/self/maps, or null when it cannot be read. */
  readonly ownMaps: string | null;
}

/** Runs the launcher's own probe (some milliseconds) and judges what it says. */
export function probeKernel(launcherPath: string = builtLauncher()): KernelReport {
  return decideKernelReport({
    platform: process.platform,
    processArch: process.arch,
    uid: process.getuid?.() ?? 0,
    launcherPath,
    launcherLine: existsSync(launcherPath) ? askLauncher(launcherPath) : null,
    ownMaps: readOwnMaps(),
  });
}

function askLauncher(launcherPath: string): string | null {
  const { status, stdout } = spawnSync(launcherPath, ['--probe'], {
    env: {},
    encoding: 'latin1',
    timeout: 10_000,
  });
  return status === 0 ? stdout : null;
}

function readOwnMaps(): string | null {
  try {
    return readFileSync('/proc/self/maps', 'latin1');
  } catch {
    return null;
  }
}

/** Pure: every problem at once, so that the human need not find them one by one. */
export function decideKernelReport(machine: ProbedMachine): KernelReport {
  const architecture = architectureOf(machine.processArch);
  if (machine.platform !== 'linux') return unusable('platform', 'the sandbox needs Linux');
  if (architecture === null)
    return unusable('processor', `no sandbox for the processor ${machine.processArch}`);
  const said = /^landlock=(\d+) seccomp=([01]) memfd=([01])\n$/.exec(machine.launcherLine ?? '');
  if (said === null)
    return unusable('launcher', `${machine.launcherPath} is missing or does not run; build it first`);
  const landlockAbi = Number(said[1]);
  const problems = [
    ...missing(
      landlockAbi >= 1,
      'landlock',
      'this kernel has no Landlock, or it is switched off (boot option lsm=)',
    ),
    ...missing(said[2] === '1', 'seccomp', 'this kernel has no seccomp filters'),
    ...missing(said[3] === '1', 'memfd', 'programs in memory are forbidden here (vm.memfd_noexec = 2)'),
    ...missing(machine.ownMaps !== null, 'proc', '/proc is not mounted'),
    ...missing(
      stackIsOnTop(machine.ownMaps, architecture),
      'address_layout',
      'this kernel puts stacks where memory maps may lie',
    ),
  ];
  if (problems.length > 0) return { kind: 'unusable', problems };
  const { launcherPath, uid } = machine;
  return { kind: 'usable', launcherPath, architecture, landlockAbi, tasksBounded: uid !== 0 };
}

function unusable(code: KernelProblem['code'], reason: string): KernelReport {
  return { kind: 'unusable', problems: [{ code, reason }] };
}

function missing(there: boolean, code: KernelProblem['code'], reason: string): readonly KernelProblem[] {
  return there ? [] : [{ code, reason }];
}

/** The filter keeps a program's maps below `stackFrom`; that bounds memory only where stacks lie above it. */
function stackIsOnTop(ownMaps: string | null, architecture: Architecture): boolean {
  if (ownMaps === null) return true; // reported as `proc`
  const start = /^([0-9a-f]+)-[0-9a-f]+ .*\[stack\]$/m.exec(ownMaps)?.[1];
  return start !== undefined && BigInt(`0x${start}`) >> 32n >= BigInt(architecture.stackFrom);
}
