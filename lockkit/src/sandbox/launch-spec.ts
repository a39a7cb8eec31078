// Writes the spec that tells the launcher what to become: limits, filter, strings and typed inputs in one block.
// Called by run-sandboxed.ts before the spawn; the pid is written in after it. It must never hold a path: the binary
// and the input are descriptors. The layout is struct spec_header of lockkit/native/launcher.c.
import type { BpfInstruction } from './assemble-filter.js';
import type { LandlockPlan } from './landlock-plan.js';
import type { ResourceLimit } from './limit-plan.js';

export interface LaunchSpec {
  readonly parentPid: number;
  /** argv, never empty; the contract gives the program nothing through it. */
  readonly argv: readonly string[];
  readonly environment: readonly { readonly name: string; readonly value: string }[];
  readonly limits: readonly ResourceLimit[];
  readonly filter: readonly BpfInstruction[];
  readonly landlock: LandlockPlan;
  readonly personality: number;
  readonly spareTasks: number;
  /** Bytes for descriptor 6, or null for none. */
  readonly inputs: Uint8Array | null;
  readonly detail: boolean;
}

/** ADDR_COMPAT_LAYOUT: mappings grow up from a third of the space, so that only the stack lies at its top. */
export const COMPAT_LAYOUT = 0x0200000;
export const MAX_SPEC_BYTES = 65536;

const MAGIC = 0x31534b4c;
const HEADER_BYTES = 80;
const LIMIT_BYTES = 24;
const INSTRUCTION_BYTES = 8;
const HAS_INPUTS = 1;
const HAS_DETAIL = 2;

/** The block as the launcher reads it, but for the pid. Throws when it is larger than the launcher takes. */
export function encodeLaunchSpec(spec: LaunchSpec): Buffer {
  const strings = Buffer.from(
    stringsOf(spec)
      .map((text) => `${text}\0`)
      .join(''),
  );
  const limits = encodeLimits(spec.limits);
  const filter = encodeFilter(spec.filter);
  const inputs = spec.inputs ?? new Uint8Array(0);
  const total = HEADER_BYTES + limits.length + filter.length + strings.length + inputs.length;
  if (total > MAX_SPEC_BYTES) throw new Error('sandbox: the launch spec is too large');
  const header = encodeHeader(spec, total, strings.length, inputs.length);
  return Buffer.concat([header, limits, filter, strings, inputs], total);
}

function stringsOf(spec: LaunchSpec): readonly string[] {
  const strings = [...spec.argv, ...spec.environment.map(({ name, value }) => `${name}=${value}`)];
  if (strings.some((text) => text.includes('\0'))) throw new Error('sandbox: NUL in argv or environment');
  return strings;
}

function encodeHeader(spec: LaunchSpec, total: number, stringsBytes: number, inputsBytes: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  const flags = (spec.inputs === null ? 0 : HAS_INPUTS) | (spec.detail ? HAS_DETAIL : 0);
  const words = [
    ...[MAGIC, total, flags, spec.parentPid],
    ...[spec.argv.length, spec.environment.length, spec.limits.length, spec.filter.length],
    ...[stringsBytes, inputsBytes, spec.landlock.bytes, spec.personality],
    ...[spec.spareTasks, 0],
  ];
  words.forEach((word, index) => header.writeUInt32LE(word, 4 * index));
  const { files, network, scopes } = spec.landlock;
  [files, network, scopes].forEach((rights, index) => header.writeBigUInt64LE(rights, 56 + 8 * index));
  return header;
}

function encodeLimits(limits: readonly ResourceLimit[]): Buffer {
  const bytes = Buffer.alloc(LIMIT_BYTES * limits.length);
  limits.forEach(({ resource, soft, hard }, index) => {
    bytes.writeUInt32LE(resource, LIMIT_BYTES * index);
    bytes.writeBigUInt64LE(soft, LIMIT_BYTES * index + 8);
    bytes.writeBigUInt64LE(hard, LIMIT_BYTES * index + 16);
  });
  return bytes;
}

/** struct sock_filter, one after the other; zero where the pid belongs. */
export function encodeFilter(filter: readonly BpfInstruction[]): Buffer {
  const bytes = Buffer.alloc(INSTRUCTION_BYTES * filter.length);
  filter.forEach(({ code, ifTrue, ifFalse, k }, index) => {
    const at = INSTRUCTION_BYTES * index;
    bytes.writeUInt16LE(code, at);
    bytes.writeUInt8(ifTrue, at + 2);
    bytes.writeUInt8(ifFalse, at + 3);
    bytes.writeUInt32LE(k === 'own pid' ? 0 : k >>> 0, at + 4);
  });
  return bytes;
}

/** Writes the pid of the launched process into an encoded spec, wherever its filter compares with it. */
export function writeOwnPid(bytes: Buffer, { limits, filter }: LaunchSpec, pid: number): void {
  const filterAt = HEADER_BYTES + LIMIT_BYTES * limits.length;
  filter.forEach(({ k }, index) => {
    if (k === 'own pid') bytes.writeUInt32LE(pid, filterAt + INSTRUCTION_BYTES * index + 4);
  });
}
