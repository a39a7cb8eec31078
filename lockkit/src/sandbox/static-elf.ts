// Is this file a static 64-bit program for this processor? Called by the binary store before a program is taken in.
// A dynamic one would only fail later, when the kernel may not read its loader; here the author gets a reason.
// It must never be the reason to trust a file: the hash is.
import type { Architecture } from './architecture.js';

const HEADER_BYTES = 64;
const PROGRAM_HEADER_BYTES = 56;
const PT_INTERP = 3;

/** How much of the file's start `checkStaticElf` wants to see. */
export const ELF_HEAD_BYTES = 4096;

/** `head` is the first ELF_HEAD_BYTES of the file, or all of it. */
export function checkStaticElf(
  head: Buffer,
  architecture: Architecture,
): 'static' | 'not_a_program' | 'dynamic' {
  const isElf64LittleEndian =
    head.length >= HEADER_BYTES && head.subarray(0, 6).equals(Buffer.from('\x7fELF\x02\x01', 'latin1'));
  if (!isElf64LittleEndian || head.readUInt16LE(18) !== architecture.elfMachine) return 'not_a_program';
  const at = Number(head.readBigUInt64LE(32));
  const count = head.readUInt16LE(56);
  const end = at + count * PROGRAM_HEADER_BYTES;
  if (head.readUInt16LE(54) !== PROGRAM_HEADER_BYTES || count === 0 || end > head.length)
    return 'not_a_program';
  for (let header = at; header < end; header += PROGRAM_HEADER_BYTES)
    if (head.readUInt32LE(header) === PT_INTERP) return 'dynamic';
  return 'static';
}
