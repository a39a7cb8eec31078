import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideEnd, renderFailureCause, type RunObservation } from './sandbox-end.js';

const GOOD: RunObservation = {
  launch: { kind: 'running' },
  stopped: null,
  timeoutMs: 1000,
  stdout: Buffer.from('1\n'),
  stdoutBytes: 2,
  signal: null,
  exitStatus: 0,
};

describe('decideEnd', () => {
  it('answers for a strict answer and exit status 0', () => {
    expect(decideEnd(GOOD)).toEqual({ answer: 1 });
  });

  it.each([
    ['launch', { launch: { kind: 'failed', stage: 'exec', errno: 13 } }],
    ['aborted', { stopped: 'aborted' }],
    ['timeout', { stopped: 'timeout', signal: 'SIGKILL', exitStatus: null }],
    ['wrong_output', { stdoutBytes: 70_000, signal: 'SIGKILL', exitStatus: null }],
    ['signal', { signal: 'SIGSEGV', exitStatus: null }],
    ['exit_status', { exitStatus: 125 }],
    ['exit_status', { exitStatus: null }],
    ['wrong_output', { stdout: Buffer.alloc(0), stdoutBytes: 0 }],
  ] as const)('fails with %s', (kind, change) => {
    expect(decideEnd({ ...GOOD, ...change })).toMatchObject({ cause: { kind } });
  });

  it('never answers unless everything is right', () => {
    const observation = fc.record({
      launch: fc.constantFrom(
        { kind: 'running' as const },
        { kind: 'failed' as const, stage: 'seccomp' as const, errno: 1 },
      ),
      stopped: fc.constantFrom(null, 'aborted' as const, 'timeout' as const),
      timeoutMs: fc.nat(),
      stdout: fc.constantFrom('1', '0\n', '11', '', '1\n\n').map((text) => Buffer.from(text)),
      stdoutBytes: fc.nat(4),
      signal: fc.constantFrom(null, 'SIGKILL', 'SIGSYS'),
      exitStatus: fc.constantFrom(null, 0, 1, 125, 256),
    });
    fc.assert(
      fc.property(observation, (seen) => {
        if (!('answer' in decideEnd(seen))) return;
        expect(seen).toMatchObject({
          launch: { kind: 'running' },
          stopped: null,
          signal: null,
          exitStatus: 0,
        });
        expect(['1', '0\n']).toContain(seen.stdout.toString());
      }),
    );
  });
});

describe('renderFailureCause', () => {
  it('has one line for every cause', () => {
    const causes = [
      { kind: 'launch', stage: 'exec', errno: 13 },
      { kind: 'aborted' },
      { kind: 'timeout', timeoutMs: 5 },
      { kind: 'wrong_output', stdoutBytes: 3 },
      { kind: 'signal', signal: 'SIGSEGV' },
      { kind: 'exit_status', status: 2 },
    ] as const;
    expect(new Set(causes.map(renderFailureCause)).size).toBe(causes.length);
    expect(causes.map(renderFailureCause).join('')).not.toContain('\n');
  });
});
