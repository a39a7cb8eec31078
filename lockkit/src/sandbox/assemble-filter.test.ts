import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ARCHITECTURES, type Architecture } from './architecture.js';
import { assembleFilter, BPF, type BpfInstruction, SECCOMP_RESULT } from './assemble-filter.js';
import { encodeFilter } from './launch-spec.js';
import { type ArgumentCheck, type PolicyRule, SECCOMP_POLICY } from './seccomp-policy.js';
import { type SyscallName, SYSCALL_NUMBERS, syscallNumber } from './syscall-numbers.js';
import { interpretFilter } from './test/bpf-interpreter.js';
import { readHeaderNumbers } from './test/system-headers.js';

const OWN_PID = 4242;
const I386 = 0x40000003;
const AARCH64 = ARCHITECTURES.arm64.auditArch;
const BOTH = [ARCHITECTURES.x64, ARCHITECTURES.arm64] as const;
const NAMES = Object.keys(SYSCALL_NUMBERS) as SyscallName[];

/** What the spec writer does to the encoded program. */
const bindPid = (program: readonly BpfInstruction[]): readonly BpfInstruction[] =>
  program.map((step) => (step.k === 'own pid' ? { ...step, k: OWN_PID } : step));

const programFor = (rules: readonly PolicyRule[], on: Architecture): readonly BpfInstruction[] =>
  bindPid(assembleFilter(rules, on));

/** What the table says, read without any BPF. */
function tableSays(
  rules: readonly PolicyRule[],
  call: SyscallName,
  args: readonly bigint[],
  on: Architecture,
): number {
  const rule = rules.find(({ calls }) => calls.includes(call));
  if (rule === undefined) return SECCOMP_RESULT.permissionDenied;
  if (!(rule.when ?? []).every((check) => holds(check, args, on))) return SECCOMP_RESULT.permissionDenied;
  return rule.result === 'no such call' ? SECCOMP_RESULT.noSuchCall : SECCOMP_RESULT.allow;
}

function holds(check: ArgumentCheck, args: readonly bigint[], on: Architecture): boolean {
  const value = args[check.argument] ?? 0n;
  const low = Number(value & 0xffffffffn);
  switch (check.kind) {
    case 'one of':
      return check.values.some((each) => low === (each === 'own pid' ? OWN_PID : each));
    case 'masked':
      return check.values.includes(Number(BigInt(low) & BigInt(check.mask)));
    case 'below':
      return low < check.limit;
    case 'high below':
      return Number(value >> 32n) < (check.limit === 'stack' ? on.stackFrom : check.limit);
  }
}

/** Values near every constant of the table, with and without garbage in the upper half. */
const interesting = [
  ...SECCOMP_POLICY.flatMap(({ when = [] }) =>
    when.flatMap((check) =>
      ('values' in check ? check.values : [check.limit]).map((value) =>
        typeof value === 'number' ? value : OWN_PID,
      ),
    ),
  ),
  ...[OWN_PID - 1, -OWN_PID, -1, 0x7fef, 0x7ff0, 0xffef, 0xfff0, 0x10900, 0x21, 0x122],
];
const argument = fc
  .tuple(
    fc.oneof(fc.constantFrom(...interesting), fc.integer()),
    fc.constantFrom(0n, 1n, 0x100n, 0x7fefn, 0x7ff0n, 0xfff0n),
  )
  .map(([low, high]) => BigInt.asUintN(64, (high << 32n) | BigInt(low >>> 0)));

describe('assembleFilter', () => {
  for (const on of BOTH) {
    const program = programFor(SECCOMP_POLICY, on);
    const decide = (number: number, args: readonly bigint[] = [], auditArch = on.auditArch): number =>
      interpretFilter(program, { number, auditArch, arguments: args });

    it(`${on.name}: says what the table says, for every named call and any arguments`, () => {
      const named = NAMES.filter((name) => syscallNumber(name, on.name) !== null);
      fc.assert(
        fc.property(
          fc.constantFrom(...named),
          fc.array(argument, { minLength: 6, maxLength: 6 }),
          (name, args) => {
            expect(decide(syscallNumber(name, on.name) as number, args)).toBe(
              tableSays(SECCOMP_POLICY, name, args, on),
            );
          },
        ),
        { numRuns: 5000 },
      );
    });

    it(`${on.name}: refuses every number that the table does not name`, () => {
      const named = new Set<number | null>(NAMES.map((name) => syscallNumber(name, on.name)));
      const others = Array.from({ length: 2048 }, (_, number) => number).filter(
        (number) => !named.has(number),
      );
      const allowed = [...others, 0x7fffffff, 0xffffffff].filter(
        (number) => decide(number) !== SECCOMP_RESULT.permissionDenied,
      );
      expect(allowed).toEqual([]);
    });

    it(`${on.name}: refuses every call of another architecture`, () => {
      const foreign = [I386, 0x40000028, BOTH.find((other) => other !== on)?.auditArch ?? 0];
      for (const auditArch of foreign)
        for (let number = 0; number < 512; number++)
          expect(decide(number, [], auditArch)).toBe(SECCOMP_RESULT.permissionDenied);
    });

    it(`${on.name}: stays within the kernel's limits and ends in a return`, () => {
      expect(program.length).toBeLessThan(400);
      expect(program.at(-1)?.code).toBe(BPF.return);
      for (const [at, { ifTrue, ifFalse }] of program.entries())
        expect(Math.max(ifTrue, ifFalse) + at).toBeLessThan(program.length);
    });
  }

  it('x64: refuses the x32 form of every call', () => {
    const program = programFor(SECCOMP_POLICY, ARCHITECTURES.x64);
    for (let number = 0; number < 600; number++)
      expect(
        interpretFilter(program, { number: number | 0x40000000, auditArch: ARCHITECTURES.x64.auditArch }),
      ).toBe(SECCOMP_RESULT.permissionDenied);
  });

  it('arm64: allows what a program there starts with and refuses what it must not do', () => {
    const numbers = readHeaderNumbers('arm64');
    const program = programFor(SECCOMP_POLICY, ARCHITECTURES.arm64);
    const decide = (name: string, ...args: readonly bigint[]): number =>
      interpretFilter(program, { number: numbers.get(name) ?? -1, auditArch: AARCH64, arguments: args });
    const { allow, permissionDenied, noSuchCall } = SECCOMP_RESULT;
    expect(decide('read')).toBe(allow);
    expect(decide('clone', 0x3d0f00n)).toBe(allow);
    expect(decide('clone', 17n)).toBe(permissionDenied);
    expect(decide('clone3')).toBe(noSuchCall);
    expect(decide('munmap', 0xffff_8000_0000n, 4096n)).toBe(permissionDenied);
    expect(decide('munmap', 0x4000_0000_0000n, 4096n)).toBe(allow);
    for (const name of [
      'socket',
      'ptrace',
      'memfd_create',
      'execveat',
      'io_uring_setup',
      'prctl',
      'unshare',
      'fchmod',
    ])
      expect(decide(name)).toBe(permissionDenied);
  });

  it('leaves out a rule whose calls this architecture does not have', () => {
    const rule: PolicyRule = { calls: ['arch_prctl'], why: 'test' };
    expect(programFor([rule], ARCHITECTURES.arm64)).toHaveLength(5);
  });

  it('throws instead of jumping too far', () => {
    const values = Array.from({ length: 300 }, (_, value) => value);
    const rule: PolicyRule = {
      calls: ['kill'],
      when: [{ kind: 'one of', argument: 0, values }],
      why: 'test',
    };
    expect(() => programFor([rule], ARCHITECTURES.x64)).toThrow();
  });
});

describe('encodeFilter', () => {
  it('writes struct sock_filter', () => {
    expect(encodeFilter([{ code: 0x15, ifTrue: 1, ifFalse: 2, k: 0xc000003e }]).toString('hex')).toBe(
      '150001023e0000c0',
    );
  });
});

describe('interpretFilter', () => {
  it('throws on an unknown operation, a wrong load and a missing end, as the kernel refuses them', () => {
    const call = { number: 0, auditArch: 0 };
    const step = (code: number, k: number) => ({ code, k, ifTrue: 0, ifFalse: 0 });
    expect(() => interpretFilter([step(0x80, 0)], call)).toThrow();
    expect(() => interpretFilter([step(BPF.loadWord, 62)], call)).toThrow();
    expect(() => interpretFilter([step(BPF.and, 0)], call)).toThrow();
  });
});
