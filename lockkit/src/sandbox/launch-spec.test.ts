// What the launcher does with a spec, good or bad: it is started as the sandbox starts it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { architectureOf, ARCHITECTURES } from './architecture.js';
import { assembleFilter } from './assemble-filter.js';
import { launcherPath } from './built-program.js';
import { planLandlock } from './landlock-plan.js';
import {
  COMPAT_LAYOUT,
  encodeLaunchSpec,
  type LaunchSpec,
  MAX_SPEC_BYTES,
  writeOwnPid,
} from './launch-spec.js';
import { type LaunchStatus, parseLaunchStatus } from './launch-status.js';
import { planLimits } from './limit-plan.js';
import { probeKernel } from './probe-kernel.js';
import { SECCOMP_POLICY } from './seccomp-policy.js';

const EPROTO = 71;
const EBADMSG = 74;
const ENODATA = 61;
const E2BIG = 7;
const ESRCH = 3;
const EACCES = 13;

const kernel = probeKernel();
const abi = kernel.kind === 'usable' ? kernel.landlockAbi : 1;
const here = architectureOf(process.arch) ?? ARCHITECTURES.x64;

const specFor = (change: Partial<LaunchSpec> = {}): LaunchSpec => ({
  parentPid: process.pid,
  argv: ['plugin'],
  environment: [{ name: 'NAME', value: 'value' }],
  limits: planLimits({ cpuS: 1, memoryBytes: 2 ** 25, timeoutMs: 1000 }),
  filter: assembleFilter(SECCOMP_POLICY, here),
  landlock: planLandlock(abi),
  personality: COMPAT_LAYOUT,
  spareTasks: 512,
  inputs: null,
  detail: false,
  ...change,
});

interface Launched {
  readonly status: LaunchStatus;
  readonly exitCode: number | null;
}

/** Starts the launcher on a file and sends these bytes. */
async function launch(bytes: Buffer): Promise<Launched> {
  const binary = openSync(launcherPath(), 'r');
  const stdio = ['ignore', 'ignore', 'ignore', binary, 'pipe', binary, 'ignore', 'ignore'] as const;
  const child = spawn(launcherPath(), [], { stdio: [...stdio], env: {}, detached: true });
  closeSync(binary);
  const spec = child.stdio[4] as Duplex;
  const record: Buffer[] = [];
  spec.on('error', () => {});
  spec.on('data', (chunk: Buffer) => record.push(chunk));
  spec.end(bytes);
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return { status: parseLaunchStatus(Buffer.concat(record)), exitCode };
}

const failedAt = (stage: string, errno: number): Launched =>
  ({ status: { kind: 'failed', stage, errno }, exitCode: 125 }) as Launched;

describe('encodeLaunchSpec', () => {
  it('is understood by the launcher: every step passes, and Landlock refuses a program that is a file', async () => {
    expect(await launch(encodeLaunchSpec(specFor()))).toEqual(failedAt('exec', EACCES));
  });

  it('leaves a place for the pid wherever the filter compares with it', () => {
    const spec = specFor();
    const bytes = encodeLaunchSpec(spec);
    const before = bytes.toString('hex');
    writeOwnPid(bytes, spec, 0x01020304);
    const places = spec.filter.filter(({ k }) => k === 'own pid').length;
    expect(places).toBeGreaterThan(3);
    expect(bytes.toString('hex').split('04030201')).toHaveLength(places + 1);
    writeOwnPid(bytes, spec, 0);
    expect(bytes.toString('hex')).toBe(before);
  });

  it('throws for a NUL in a string and for a block that is too large', () => {
    expect(() => encodeLaunchSpec(specFor({ argv: ['a\0b'] }))).toThrow();
    expect(() => encodeLaunchSpec(specFor({ environment: [{ name: 'A', value: '\0' }] }))).toThrow();
    expect(() => encodeLaunchSpec(specFor({ inputs: Buffer.alloc(MAX_SPEC_BYTES) }))).toThrow();
  });
});

describe('lock-launcher', () => {
  it('reports a spec that ends early, wherever it ends', async () => {
    const whole = encodeLaunchSpec(specFor());
    for (const length of [0, 1, 79, 80, 81, whole.length - 1])
      expect(await launch(whole.subarray(0, length))).toEqual(failedAt('spec', ENODATA));
  });

  it('reports a wrong magic, wrong lengths and wrong counts', async () => {
    const changed = (at: number, value: number): Buffer => {
      const bytes = encodeLaunchSpec(specFor());
      bytes.writeUInt32LE(value >>> 0, at);
      return bytes;
    };
    const attempts = [
      ['magic', 0, 0, EPROTO],
      ['reserved word', 52, 1, EPROTO],
      ['4 GiB in total', 4, -1, E2BIG],
      ['no argv', 16, 0, E2BIG],
      ['too many strings', 20, 1000, E2BIG],
      ['too many limits', 24, 17, E2BIG],
      ['no filter', 28, 0, E2BIG],
      ['too long a filter', 28, 4097, E2BIG],
      ['more filter than bytes', 28, 4096, EBADMSG],
      ['strings past the end', 32, -1, EBADMSG],
      ['inputs past the end', 36, -1, EBADMSG],
      ['one string more than there are', 20, 2, EBADMSG],
      ['one string fewer than there are', 20, 0, EBADMSG],
    ] as const;
    const got: unknown[] = [];
    for (const [name, at, value] of attempts) got.push([name, await launch(changed(at, value))]);
    expect(got).toEqual(attempts.map(([name, , , errno]) => [name, failedAt('spec', errno)]));
  });

  it('never runs the program from random bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        expect(await launch(Buffer.from(bytes))).toMatchObject({
          status: { kind: 'failed', stage: 'spec' },
        });
      }),
      { numRuns: 25 },
    );
  });

  it('refuses to run for another parent', async () => {
    expect(await launch(encodeLaunchSpec(specFor({ parentPid: process.pid + 1 })))).toEqual(
      failedAt('parent', ESRCH),
    );
  });

  it('refuses a filter that the kernel refuses', async () => {
    const bad = [{ code: 0x20, ifTrue: 0, ifFalse: 0, k: 1 }];
    expect((await launch(encodeLaunchSpec(specFor({ filter: bad })))).status).toMatchObject({
      stage: 'seccomp',
    });
  });

  it('refuses Landlock rights that the kernel does not know', async () => {
    const landlock = { ...planLandlock(abi), files: 1n << 60n };
    expect((await launch(encodeLaunchSpec(specFor({ landlock })))).status).toMatchObject({
      stage: 'landlock',
    });
  });

  it('refuses words it does not know', async () => {
    const child = spawn(launcherPath(), ['--help'], { stdio: 'ignore', env: {} });
    expect(await once(child, 'close')).toEqual([2, null]);
  });
});
