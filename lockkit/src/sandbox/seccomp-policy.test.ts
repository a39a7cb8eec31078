// The table itself, and what happens on the real kernel when anything is taken out of it.
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { lockkitPath } from './built-program.js';
import { openProbeBench } from './probe/open-probe-bench.js';
import { callsOf, meets, parseProbeCases, type ProbeCase } from './probe/probe-case.js';
import { canTry, type ProbeBench, runProbeInside } from './probe/run-probe.js';
import { type PolicyRule, SECCOMP_POLICY } from './seccomp-policy.js';
import { type SyscallName, syscallNumber } from './syscall-numbers.js';

const HERE = process.arch === 'arm64' ? 'arm64' : 'x64';
/** Without these no program starts or answers: any probe shows it. */
const ALWAYS: readonly string[] = ['execve', 'write'];

let bench: ProbeBench;
let probes: readonly ProbeCase[];

beforeAll(async () => {
  bench = await openProbeBench();
  const all = parseProbeCases(readFileSync(lockkitPath('../conformance/probes/sandbox-probes.json'), 'utf8'));
  probes = all.filter((probe) => canTry(probe, bench) && probe.limits === undefined);
});

/** The name of a probe that no longer gives what it must, or null. */
async function firstFailure(
  policy: readonly PolicyRule[],
  candidates: readonly ProbeCase[],
): Promise<string | null> {
  for (const probe of candidates)
    if (!meets(probe.expected, await runProbeInside(probe, bench, { policy }))) return probe.name;
  return null;
}

function probesAbout(calls: readonly SyscallName[], refused: boolean): readonly ProbeCase[] {
  if (!refused && calls.some((call) => ALWAYS.includes(call)))
    return probes.filter(({ name }) => name === 'need-getpid');
  return probes.filter(
    (probe) =>
      meets(probe.expected, 'EPERM') === refused &&
      callsOf(probe).some((call) => (calls as readonly string[]).includes(call)),
  );
}

const replace = (at: number, rule: PolicyRule): readonly PolicyRule[] => SECCOMP_POLICY.with(at, rule);

describe('SECCOMP_POLICY', () => {
  it('names every call once, each rule with its reason', () => {
    const calls = SECCOMP_POLICY.flatMap((rule) => rule.calls);
    expect(new Set(calls).size).toBe(calls.length);
    expect(SECCOMP_POLICY.filter(({ why }) => why.length < 4)).toEqual([]);
  });

  it('taking away any one call makes a probe fail', async () => {
    const unnoticed: string[] = [];
    for (const [at, rule] of SECCOMP_POLICY.entries())
      for (const call of rule.calls.filter((name) => syscallNumber(name, HERE) !== null)) {
        const fewer = replace(at, { ...rule, calls: rule.calls.filter((name) => name !== call) });
        if ((await firstFailure(fewer, probesAbout([call], false))) === null) unnoticed.push(call);
      }
    expect(unnoticed).toEqual([]);
  }, 240_000);

  it('taking away any one check of an argument makes a probe fail', async () => {
    const unnoticed: string[] = [];
    for (const [at, rule] of SECCOMP_POLICY.entries())
      for (const check of syscallNumber(rule.calls[0] as SyscallName, HERE) === null
        ? []
        : (rule.when ?? [])) {
        const looser = replace(at, { ...rule, when: (rule.when ?? []).filter((each) => each !== check) });
        if ((await firstFailure(looser, probesAbout(rule.calls, true))) === null)
          unnoticed.push(`${rule.calls[0]}: ${JSON.stringify(check)}`);
      }
    expect(unnoticed).toEqual([]);
  }, 240_000);
});
