// Runs an assembled filter the way the kernel does, for calls that this machine cannot make (another processor, i386).
// Used by tests only. It must never be more forgiving than the kernel's own checker: a bad jump or an unknown operation throws.
import { BPF, type BpfInstruction } from '../assemble-filter.js';

/** struct seccomp_data; arguments are 64-bit. */
export interface ObservedCall {
  readonly number: number;
  readonly auditArch: number;
  readonly arguments?: readonly bigint[];
}

/** The filter's return value for one call. */
export function interpretFilter(program: readonly BpfInstruction[], call: ObservedCall): number {
  const data = seccompData(call);
  let accumulator = 0;
  for (let at = 0; ;) {
    const { code, k, ifTrue, ifFalse } = instructionAt(program, at);
    if (k === 'own pid') throw new Error('bpf: the pid is not written yet');
    at += 1;
    if (code === BPF.return) return k;
    if (code === BPF.loadWord) accumulator = loadWord(data, k);
    else if (code === BPF.and) accumulator = (accumulator & k) >>> 0;
    else if (code === BPF.jumpIfEqual) at += accumulator === k ? ifTrue : ifFalse;
    else if (code === BPF.jumpIfAtLeast) at += accumulator >= k ? ifTrue : ifFalse;
    else throw new Error(`bpf: unknown operation ${code}`);
  }
}

function instructionAt(program: readonly BpfInstruction[], at: number): BpfInstruction {
  const instruction = program[at];
  if (instruction === undefined) throw new Error('bpf: ran past the end');
  return instruction;
}

function loadWord(data: Buffer, at: number): number {
  if (at % 4 !== 0 || at > data.length - 4) throw new Error('bpf: load outside seccomp_data');
  return data.readUInt32LE(at);
}

function seccompData(call: ObservedCall): Buffer {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(call.number >>> 0, 0);
  data.writeUInt32LE(call.auditArch >>> 0, 4);
  (call.arguments ?? []).forEach((value, index) =>
    data.writeBigUInt64LE(BigInt.asUintN(64, value), 16 + 8 * index),
  );
  return data;
}
