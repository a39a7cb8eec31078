import { describe, expect, it } from 'vitest';
import { launcherPath } from './built-program.js';
import { decideKernelReport, probeKernel, type ProbedMachine, SandboxUnavailable } from './probe-kernel.js';

const GOOD: ProbedMachine = {
  platform: 'linux',
  processArch: 'x64',
  uid: 1000,
  launcherPath: '/build/lock-launcher',
  launcherLine: 'landlock=4 seccomp=1 memfd=1\n',
  ownMaps:
    '00400000-00452000 r-xp 0 08:02 1 /bin/node\n7ffd1a2b3000-7ffd1a2d4000 rw-p 0 00:00 0          [stack]\n',
};

const codesOf = (change: Partial<ProbedMachine>): readonly string[] => {
  const report = decideKernelReport({ ...GOOD, ...change });
  return report.kind === 'usable' ? [] : report.problems.map(({ code }) => code);
};

describe('decideKernelReport', () => {
  it('takes a complete machine, and says what its account is bounded by', () => {
    expect(decideKernelReport(GOOD)).toMatchObject({ kind: 'usable', landlockAbi: 4, tasksBounded: true });
    expect(decideKernelReport({ ...GOOD, uid: 0 })).toMatchObject({ kind: 'usable', tasksBounded: false });
  });

  it('A9-067: refuses a kernel without Landlock', () => {
    expect(codesOf({ launcherLine: 'landlock=0 seccomp=1 memfd=1\n' })).toEqual(['landlock']);
  });

  it.each([
    ['platform', { platform: 'darwin' }],
    ['processor', { processArch: 'riscv64' }],
    ['launcher', { launcherLine: null }],
    ['launcher', { launcherLine: '' }],
    ['launcher', { launcherLine: 'landlock=7 seccomp=1 memfd=1' }],
    ['seccomp', { launcherLine: 'landlock=7 seccomp=0 memfd=1\n' }],
    ['memfd', { launcherLine: 'landlock=7 seccomp=1 memfd=0\n' }],
    ['proc', { ownMaps: null }],
    ['address_layout', { ownMaps: '7f001a2b3000-7f001a2d4000 rw-p 0 00:00 0 [stack]\n' }],
    ['address_layout', { ownMaps: '' }],
    ['address_layout', { processArch: 'arm64' }],
  ] as const)('refuses with the reason %s', (code, change) => {
    expect(codesOf(change)).toEqual([code]);
  });

  it('names every problem at once', () => {
    expect(codesOf({ launcherLine: 'landlock=0 seccomp=0 memfd=0\n' })).toEqual([
      'landlock',
      'seccomp',
      'memfd',
    ]);
  });
});

describe('probeKernel', () => {
  it('finds this machine usable', () => {
    expect(probeKernel()).toMatchObject({ kind: 'usable', launcherPath: launcherPath() });
  });

  it('refuses when the launcher is missing', () => {
    expect(probeKernel('/nonexistent/launcher')).toMatchObject({
      kind: 'unusable',
      problems: [{ code: 'launcher' }],
    });
  });

  it('refuses when another program stands in its place', () => {
    expect(probeKernel('/bin/true')).toMatchObject({ kind: 'unusable', problems: [{ code: 'launcher' }] });
  });
});

describe('SandboxUnavailable', () => {
  it('says every reason in its message', () => {
    const error = new SandboxUnavailable([
      { code: 'landlock', reason: 'one' },
      { code: 'seccomp', reason: 'two' },
    ]);
    expect(error.message).toContain('one; two');
  });
});
