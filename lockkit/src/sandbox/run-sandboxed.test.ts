// The contract's table and its hostile inputs, through runSandboxed on the real kernel.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openProbeBench } from './probe/open-probe-bench.js';
import type { ProbeCase } from './probe/probe-case.js';
import { type ProbeBench, runProbeInside } from './probe/run-probe.js';
import { runSandboxed, type SandboxPlan } from './run-sandboxed.js';
import type { SandboxEnd } from './sandbox-end.js';
import { bundleDriver } from './test/bundle-driver.js';

const ENVIRONMENT = { name: 'LOCKFILE_PLUGIN_PROTOCOL', value: '2' };
const LIMITS = { cpuS: 5, memoryBytes: 128 * 2 ** 20, timeoutMs: 20_000 };

let bench: ProbeBench;
let folder: string;

beforeAll(async () => {
  bench = await openProbeBench();
  folder = mkdtempSync(join(tmpdir(), 'lock-run-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The steps are the input itself. */
async function runSteps(steps: string, change: Partial<SandboxPlan> = {}): Promise<SandboxEnd> {
  const path = join(folder, 'input');
  writeFileSync(path, steps);
  const inputFd = openSync(path, 'r');
  try {
    const { binary } = bench;
    return await runSandboxed({
      binary,
      inputFd,
      detail: false,
      environment: ENVIRONMENT,
      limits: LIMITS,
      ...change,
    });
  } finally {
    closeSync(inputFd);
  }
}

const probeOf = (step: string): ProbeCase => ({
  name: 'x',
  attempt: '',
  steps: [step],
  expected: '',
  attack: '',
  bare: '',
});

describe('runSandboxed: descriptors', () => {
  it.each([
    ['3', false, undefined],
    ['3 7', true, undefined],
    ['3 6', false, '{"needle":"x"}'],
    ['3 6 7', true, '{"needle":"x"}'],
  ] as const)(
    'A9-039, A9-040: the program has 0, 1, 2 and %s, nothing else',
    async (list, detail, inputs) => {
      const step = `@only ${list}`;
      const request = inputs === undefined ? {} : { inputs: Buffer.from(JSON.stringify({ probe: step })) };
      expect(await runSteps(step, { detail, ...request })).toMatchObject({ kind: 'answered', answer: 1 });
    },
  );

  it('A9-068: descriptors that the console itself inherited do not arrive', async () => {
    const driver = await bundleDriver();
    const leak = openSync('/etc/passwd', 'r');
    const stdio = ['ignore', 'pipe', 'inherit', ...Array.from({ length: 30 }, () => leak)] as const;
    const child = spawn(process.execPath, [driver, '@descriptors'], { stdio: [...stdio] });
    closeSync(leak);
    expect(await readAll(child)).toBe('0 1 2 3 6 7\n');
    rmSync(driver);
  });

  it('gives every run the input from its start, and leaves the console’s own offset alone', async () => {
    const path = join(folder, 'offset');
    writeFileSync(path, '@value 7');
    const inputFd = openSync(path, 'r');
    readSync(inputFd, Buffer.alloc(4));
    const plan = { binary: bench.binary, inputFd, detail: true, environment: ENVIRONMENT, limits: LIMITS };
    const ends = [await runSandboxed(plan), await runSandboxed(plan)];
    const rest = Buffer.alloc(10);
    expect(readSync(inputFd, rest)).toBe(4);
    closeSync(inputFd);
    expect(ends.map((end) => end.kind === 'answered' && String(end.detail))).toEqual(['7', '7']);
  });

  it('gives the typed values byte for byte on fd 6', async () => {
    const inputs = Buffer.from('{"needle":"⟦ä\\n\\u0000","probe":"@text-of 6"}');
    expect(String(((await runSteps('-', { detail: true, inputs })) as { detail?: Buffer }).detail)).toBe(
      String(inputs),
    );
  });

  it('keeps the first 4 KiB of the detail and drains the rest', async () => {
    const end = await runSteps('@flood 7 64', { detail: true });
    expect(end).toMatchObject({ kind: 'answered', answer: 1 });
    expect(end.kind === 'answered' && end.detail?.length).toBe(4096);
  });

  it('gives no detail when the plan has none', async () => {
    expect(await runSteps('@value 1')).not.toHaveProperty('detail');
  });
});

describe('runSandboxed: ends', () => {
  it('A9-063: counts and drops what is written to stderr', async () => {
    expect(await runSteps('@flood 2 32')).toMatchObject({ kind: 'answered', stderrBytes: 32 * 2 ** 20 });
  });

  it('A9-062: stops a flood on stdout after a few bytes', async () => {
    const end = await runSteps('@flood 1 4096');
    expect(end).toMatchObject({ kind: 'failed', cause: { kind: 'wrong_output' } });
    expect(end.kind === 'failed' && end.cause.kind === 'wrong_output' && end.cause.stdoutBytes).toBeLessThan(
      2 ** 24,
    );
  });

  it('A9-055: ends a program that ignores every signal when its time is over', async () => {
    const limits = { ...LIMITS, timeoutMs: 200 };
    expect(await runSteps('@hang', { limits })).toMatchObject({
      kind: 'failed',
      cause: { kind: 'timeout', timeoutMs: 200 },
    });
  });

  it('A9-054: ends a program that uses up its processor time, and measures it', async () => {
    const end = await runSteps('@burn-deaf', { limits: { ...LIMITS, cpuS: 1 } });
    expect(end).toMatchObject({ kind: 'failed', cause: { kind: 'signal', signal: 'SIGKILL' } });
    expect(end.cpuMs).toBeGreaterThan(1000);
  });

  it.each([
    ['SIGINT', 2],
    ['SIGABRT', 6],
    ['SIGFPE', 8],
    ['SIGKILL', 9],
    ['SIGSEGV', 11],
    ['SIGTERM', 15],
    ['SIGSYS', 31],
  ])('A9-060: takes no answer from a program that dies by %s', async (signal, number) => {
    expect(await runSteps(`@die ${number} 1`)).toMatchObject({
      kind: 'failed',
      cause: { kind: 'signal', signal },
    });
  });

  it('stops a run when the caller wants no more of it, before or after it started', async () => {
    expect(await runSteps('@value 1', { signal: AbortSignal.abort() })).toMatchObject({
      cause: { kind: 'aborted' },
    });
    const controller = new AbortController();
    const running = runSteps('@hang', { signal: controller.signal });
    await waitForChild(process.pid);
    controller.abort();
    expect(await running).toMatchObject({ kind: 'failed', cause: { kind: 'aborted' } });
  });

  it('reports a launcher that cannot be started', async () => {
    const kernel = { ...bench.binary.kernel, launcherPath: '/nonexistent/launcher' };
    expect(await runSteps('@value 1', { binary: { ...bench.binary, kernel } })).toMatchObject({
      kind: 'failed',
      cause: { kind: 'launch', stage: 'spawn', errno: 2 },
    });
  });

  it('leaves no process and no descriptor behind', async () => {
    const descriptors = readdirSync('/proc/self/fd').length;
    await Promise.all(
      ['@value 1', '@die 9 1', '@flood 1 16', '@answer 31 3'].map((steps) => runSteps(steps)),
    );
    expect(childrenOf(process.pid).filter(({ name }) => name === '5' || name === 'lock-launcher')).toEqual(
      [],
    );
    expect(readdirSync('/proc/self/fd').length).toBeLessThanOrEqual(descriptors + 1);
  });
});

describe('runSandboxed: plans that no caller may make', () => {
  it('throws for an input that is no regular file', async () => {
    const inputFd = openSync('/dev/null', 'r');
    await expect(runSteps('-', { inputFd })).rejects.toThrow();
    closeSync(inputFd);
  });

  it('throws for inputs that are too large and for a strange variable', async () => {
    await expect(runSteps('-', { inputs: Buffer.alloc(40_000) })).rejects.toThrow();
    for (const name of ['', 'A=B', 'a', 'A\0'])
      await expect(runSteps('-', { environment: { name, value: '' } })).rejects.toThrow();
  });

  it('throws for limits that bound nothing', async () => {
    for (const change of [{ cpuS: 0 }, { memoryBytes: Number.POSITIVE_INFINITY }, { cpuS: 0.5 }])
      await expect(runSteps('-', { limits: { ...LIMITS, ...change } })).rejects.toThrow();
  });
});

describe('runSandboxed: tasks', () => {
  const account = process.getuid?.() === 0 ? { account: { uid: 61_235, gid: 61_235 } } : {};

  it('A9-052: an account gets exactly 512 tasks more than it runs, then EAGAIN', async () => {
    expect(await runProbeInside(probeOf('@threads 1000'), bench, account)).toMatch(/^EAGAIN after 51[12]$/);
  });
});

describe('runSandboxed: the console dies', () => {
  it('takes the program with it', async () => {
    const driver = await bundleDriver();
    const child = spawn(process.execPath, [driver, '@hang'], { stdio: 'ignore' });
    const program = await waitForChild(child.pid as number);
    child.kill('SIGKILL');
    await once(child, 'close');
    await until(() => !isAlive(program));
    rmSync(driver);
  });
});

async function readAll(child: ChildProcess): Promise<string> {
  let text = '';
  child.stdout?.on('data', (chunk) => (text += String(chunk)));
  await once(child, 'close');
  return text;
}

interface ProcessLine {
  readonly pid: number;
  readonly name: string;
  readonly state: string;
}

function childrenOf(parent: number): readonly ProcessLine[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const [, name = '', state = '', ppid] = /\((.*)\) (\S) (\d+)/s.exec(statOf(Number(pid))) ?? [];
      return Number(ppid) === parent ? [{ pid: Number(pid), name, state }] : [];
    });
}

function statOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return '';
  }
}

function isAlive(pid: number): boolean {
  return !['', 'Z'].includes(/\) (\S) /.exec(statOf(pid))?.[1] ?? '');
}

/** The pid of a program that `parent` runs sandboxed: the launcher executes descriptor 5. */
async function waitForChild(parent: number): Promise<number> {
  const running = (): ProcessLine | undefined => childrenOf(parent).find(({ name }) => name === '5');
  await until(() => running() !== undefined);
  return running()?.pid as number;
}

/** The test's own timeout is the bound. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}
