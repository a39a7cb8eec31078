// What differs between the processors a sandbox can run on. Read by the filter assembler, the kernel probe and tests.
// It must never hold a default: a processor that is not in this table has no sandbox.

export type ArchitectureName = 'x64' | 'arm64';

export interface Architecture {
  readonly name: ArchitectureName;
  /** AUDIT_ARCH_* of <linux/audit.h>: what seccomp reports for a call made through the native entry. */
  readonly auditArch: number;
  /** System calls at or above this number belong to another ABI behind the same entry (x32); none on arm64. */
  readonly foreignNumbersFrom: number | null;
  /** ELF e_machine of its programs. */
  readonly elfMachine: number;
  /**
   * High 32 bits of the lowest address that only the main stack can have under the compat layout. The stack lies
   * at most 16 GiB (x64) or 1 GiB (arm64, 48-bit addresses) below the top; mappings start at a third (x64) or a
   * quarter (arm64) of the space and grow upwards.
   */
  readonly stackFrom: number;
}

export const ARCHITECTURES: Readonly<Record<ArchitectureName, Architecture>> = {
  x64: {
    name: 'x64',
    auditArch: 0xc000003e,
    foreignNumbersFrom: 0x40000000,
    elfMachine: 62,
    stackFrom: 0x7ff0,
  },
  arm64: {
    name: 'arm64',
    auditArch: 0xc00000b7,
    foreignNumbersFrom: null,
    elfMachine: 183,
    stackFrom: 0xfff0,
  },
};

/** `process.arch` of Node to an architecture; null for one that has no sandbox. */
export function architectureOf(processArch: string): Architecture | null {
  return processArch === 'x64' || processArch === 'arm64' ? ARCHITECTURES[processArch] : null;
}
