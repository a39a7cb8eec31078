// An argv as a record holds it: masked by the caller, at most 1 KiB of it, and the hash of all of it.
// Called by whoever records a command. The hash is of the masked form: one of the clear form could be guessed at.
import { createHash } from 'node:crypto';

export interface ArgvField {
  readonly argv: readonly string[];
  /** Of the JSON of the whole masked argv. */
  readonly argv_sha256: string;
  /** Bytes of the arguments that are not in `argv`; absent when it is whole. */
  readonly argv_cut_bytes?: number;
}

const MAX_ARGV_BYTES = 1024;

export function encodeArgvField(maskedArgv: readonly string[]): ArgvField {
  const argv: string[] = [];
  let room = MAX_ARGV_BYTES;
  let cut = 0;
  for (const argument of maskedArgv) {
    const kept = cutAtBytes(argument, room);
    const bytes = Buffer.byteLength(kept);
    if (room > 0 || argument === '') argv.push(kept);
    cut += Buffer.byteLength(argument) - bytes;
    room = cut > 0 ? 0 : room - bytes - 1;
  }
  const argv_sha256 = createHash('sha256').update(JSON.stringify(maskedArgv)).digest('hex');
  return cut > 0 || argv.length < maskedArgv.length
    ? { argv, argv_sha256, argv_cut_bytes: cut }
    : { argv, argv_sha256 };
}

/** The longest start of the text that is at most so many bytes and ends at a code point. */
function cutAtBytes(text: string, maxBytes: number): string {
  if (maxBytes <= 0) return '';
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  let end = maxBytes;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end).toString();
}
