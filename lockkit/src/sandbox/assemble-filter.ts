// Turns the policy table into the classic BPF program that seccomp runs on every system call of the sandboxed process.
// Called by run-sandboxed.ts, once a policy. It must never let a call through that no rule names.
import type { Architecture } from './architecture.js';
import type { ArgumentCheck, ComparedValue, PolicyRule } from './seccomp-policy.js';
import { syscallNumber } from './syscall-numbers.js';

/**
 * struct sock_filter: an operation, two forward jump distances, a constant. The pid of the process to come is still a
 * name; it is written into the encoded spec.
 */
export interface BpfInstruction {
  readonly code: number;
  readonly ifTrue: number;
  readonly ifFalse: number;
  readonly k: ComparedValue;
}

export const BPF = {
  loadWord: 0x20,
  jumpIfEqual: 0x15,
  jumpIfAtLeast: 0x35,
  and: 0x54,
  return: 0x06,
} as const;
export const SECCOMP_RESULT = {
  allow: 0x7fff0000,
  permissionDenied: 0x00050001,
  noSuchCall: 0x00050026,
} as const;

/** Offsets in struct seccomp_data, little endian. */
const NUMBER_AT = 0;
const ARCH_AT = 4;
const lowHalfAt = (argument: number): number => 16 + 8 * argument;
const highHalfAt = (argument: number): number => 20 + 8 * argument;

/** A place to jump to, or an instruction whose jumps are still names; a missing name means the next instruction. */
type Line =
  | { readonly place: string }
  | { readonly code: number; readonly k: ComparedValue; readonly ifTrue?: string; readonly ifFalse?: string };

const DENY: Line = { code: BPF.return, k: SECCOMP_RESULT.permissionDenied };
const load = (at: number): Line => ({ code: BPF.loadWord, k: at });

/** The whole program: foreign entries first, then rule by rule, then EPERM. Every jump is forward. */
export function assembleFilter(
  policy: readonly PolicyRule[],
  architecture: Architecture,
): readonly BpfInstruction[] {
  const rules = policy.map((rule, index) => ruleLines(rule, `rule ${index}`, architecture));
  return resolveJumps([...entryLines(architecture), ...rules.flat(), DENY]);
}

/** Refuses calls of another architecture or ABI, whose numbers mean something else; leaves the number loaded. */
function entryLines({ auditArch, foreignNumbersFrom }: Architecture): readonly Line[] {
  const foreign: readonly Line[] =
    foreignNumbersFrom === null
      ? []
      : [{ code: BPF.jumpIfAtLeast, k: foreignNumbersFrom, ifFalse: 'known' }, DENY, { place: 'known' }];
  return [
    load(ARCH_AT),
    { code: BPF.jumpIfEqual, k: auditArch, ifTrue: 'native' },
    DENY,
    { place: 'native' },
    load(NUMBER_AT),
    ...foreign,
  ];
}

/** Every path through a body returns, so that past it the number is still loaded. */
function ruleLines(rule: PolicyRule, name: string, architecture: Architecture): readonly Line[] {
  const numbers = rule.calls
    .map((call) => syscallNumber(call, architecture.name))
    .filter((number) => number !== null);
  if (numbers.length === 0) return [];
  const refused = `${name} refused`;
  const checks = (rule.when ?? []).flatMap((check, index) =>
    checkLines(check, `${name} check ${index} holds`, refused, architecture),
  );
  const result = rule.result === 'no such call' ? SECCOMP_RESULT.noSuchCall : SECCOMP_RESULT.allow;
  return [
    ...anyOf(numbers, `${name} body`, `${name} past`),
    ...checks,
    { code: BPF.return, k: result },
    ...(checks.length === 0 ? [] : [{ place: refused }, DENY]),
    { place: `${name} past` },
  ];
}

/** Goes on with the next line when the condition holds, else jumps to `refused`. */
function checkLines(
  check: ArgumentCheck,
  holds: string,
  refused: string,
  architecture: Architecture,
): readonly Line[] {
  const low = load(lowHalfAt(check.argument));
  switch (check.kind) {
    case 'high below': {
      const k = check.limit === 'stack' ? architecture.stackFrom : check.limit;
      return [load(highHalfAt(check.argument)), { code: BPF.jumpIfAtLeast, k, ifTrue: refused }];
    }
    case 'below':
      return [low, { code: BPF.jumpIfAtLeast, k: check.limit, ifTrue: refused }];
    case 'one of':
      return [low, ...anyOf(check.values, holds, refused)];
    case 'masked':
      return [low, { code: BPF.and, k: check.mask }, ...anyOf(check.values, holds, refused)];
  }
}

/** Goes on at `found` (the next line) when the loaded word is one of `values`, else jumps. */
function anyOf(values: readonly ComparedValue[], found: string, otherwise: string): readonly Line[] {
  return [
    ...values.map((k, index) => ({
      code: BPF.jumpIfEqual,
      k,
      ifTrue: found,
      ...(index === values.length - 1 ? { ifFalse: otherwise } : {}),
    })),
    { place: found },
  ];
}

function resolveJumps(lines: readonly Line[]): readonly BpfInstruction[] {
  const places = new Map<string, number>();
  const instructions = lines.flatMap((line) => ('place' in line ? [] : [line]));
  let next = 0;
  for (const line of lines) {
    if ('place' in line) places.set(line.place, next);
    else next += 1;
  }
  const distance = (from: number, to: string | undefined): number => {
    if (to === undefined) return 0;
    const jump = (places.get(to) ?? -1) - from - 1;
    if (jump < 0 || jump > 255) throw new Error(`seccomp filter: no forward jump to "${to}"`);
    return jump;
  };
  return instructions.map((line, index) => ({
    code: line.code,
    ifTrue: distance(index, line.ifTrue),
    ifFalse: distance(index, line.ifFalse),
    k: line.k,
  }));
}
