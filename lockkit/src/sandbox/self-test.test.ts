import { describe, expect, it } from 'vitest';
import { probeKernel } from './probe-kernel.js';
import { judgeSelfTest, requireSandbox, runSelfTest } from './self-test.js';

const MEASURES = { cpuMs: 1, wallMs: 1, stderrBytes: 0 };

describe('runSelfTest', () => {
  it('finds no problem on this machine', async () => {
    const kernel = probeKernel();
    expect(kernel.kind).toBe('usable');
    if (kernel.kind === 'usable') expect(await runSelfTest(kernel)).toEqual([]);
  });

  it('fails closed when its program is missing', async () => {
    const kernel = await requireSandbox();
    expect(await runSelfTest(kernel, '/nonexistent/self-test')).toMatchObject([{ code: 'self_test' }]);
  });
});

describe('judgeSelfTest', () => {
  it('names the attempts that the sandbox did not stop', () => {
    const end = { kind: 'answered', answer: 0, detail: Buffer.from('socket kill '), ...MEASURES } as const;
    expect(judgeSelfTest(end)).toEqual([
      { code: 'self_test', reason: 'the sandbox did not hold: socket kill' },
    ]);
  });

  it('fails closed when the program did not start', () => {
    const cause = { kind: 'launch', stage: 'landlock', errno: 38 } as const;
    expect(judgeSelfTest({ kind: 'failed', cause, ...MEASURES })).toHaveLength(1);
  });
});
