// Every probe of conformance/probes, inside the sandbox and bare, on the real kernel.
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { lockkitPath } from '../built-program.js';
import { openProbeBench } from './open-probe-bench.js';
import { meets, parseProbeCases, type ProbeCase } from './probe-case.js';
import { canTry, type ProbeBench, runProbeBare, runProbeInside, runProbesTogether } from './run-probe.js';

const PROBES = parseProbeCases(
  readFileSync(lockkitPath('../conformance/probes/sandbox-probes.json'), 'utf8'),
);
let bench: ProbeBench;
let tried: readonly ProbeCase[];

beforeAll(async () => {
  bench = await openProbeBench();
  tried = PROBES.filter((probe) => canTry(probe, bench));
});

/** Refused by the filter, whatever else it is: such a call leaves nothing behind for the next. */
const isRefusedCall = ({ expected, steps, input, limits }: ProbeCase): boolean =>
  expected === 'EPERM' &&
  steps.every((step) => /^[~a-z0-9-]/.test(step)) &&
  input === undefined &&
  limits === undefined;

describe('runProbeInside', () => {
  it('can try nearly every probe on this machine', () => {
    expect(tried.length).toBeGreaterThan(process.arch === 'x64' ? PROBES.length - 5 : PROBES.length - 80);
  });

  it('gives the expected result for every call that is refused', async () => {
    const refused = tried.filter(isRefusedCall);
    for (let at = 0; at < refused.length; at += 100) {
      const probes = refused.slice(at, at + 100);
      const got = await runProbesTogether(probes, bench);
      expect(probes.map(({ name }, index) => `${name}: ${got[index]}`)).toEqual(
        probes.map(({ name }) => `${name}: EPERM`),
      );
    }
  });

  it('gives the expected result for every other probe, one process each', async () => {
    const wrong: string[] = [];
    for (const probe of tried.filter((each) => !isRefusedCall(each))) {
      const got = await runProbeInside(probe, bench);
      if (!meets(probe.expected, got)) wrong.push(`${probe.name}: ${got}`);
    }
    expect(wrong).toEqual([]);
  }, 180_000);
});

describe('runProbeBare', () => {
  /** Another uid than root is refused more by the kernel itself. */
  const asUser = process.getuid?.() === 0 ? [] : ['EPERM', 'EACCES'];

  it('shows for every probe what the attempt gives without the sandbox', async () => {
    const wrong: string[] = [];
    for (const probe of tried) {
      if (typeof probe.bare === 'object' && 'untried' in probe.bare) continue;
      const got = await runProbeBare(probe, bench);
      if (!meets(probe.bare, got) && !asUser.includes(got)) wrong.push(`${probe.name}: ${got}`);
    }
    expect(wrong).toEqual([]);
  }, 240_000);
});

describe('sandbox-probes.json', () => {
  it('holds no attempt that fails the same way without the sandbox, unless it says why', () => {
    const listOf = (value: string | readonly string[]): readonly string[] =>
      typeof value === 'string' ? [value] : value;
    const useless = PROBES.filter(
      ({ bare, expected, attack, note }) =>
        !('untried' in Object(bare)) &&
        listOf(bare as string).some((result) => meets(expected, result)) &&
        note === undefined &&
        !attack.startsWith('none') &&
        !attack.startsWith('known limit'),
    );
    expect(useless.map(({ name }) => name)).toEqual([]);
  });
});
