// Reads a small file of the console's own data folder whole: opened once, through no link, checked on the descriptor.
// Called for the index and the manifests. A file that others may write is treated as damaged.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

const OTHERS_MAY_WRITE = 0o022;

/** The bytes, or null: missing, no regular file, writable by others, too large. */
export function readOwnFile(path: string, maxBytes: number): Buffer | null {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    const facts = fstatSync(fd);
    if (!facts.isFile() || (facts.mode & OTHERS_MAY_WRITE) !== 0) return null;
    if (facts.uid !== process.getuid?.() && facts.uid !== 0) return null;
    return readBounded(fd, maxBytes);
  } finally {
    closeSync(fd);
  }
}

function readBounded(fd: number, maxBytes: number): Buffer | null {
  const bytes = Buffer.alloc(maxBytes + 1);
  let length = 0;
  for (;;) {
    const got = readSync(fd, bytes, length, bytes.length - length, null);
    length += got;
    if (length > maxBytes) return null;
    if (got === 0) return bytes.subarray(0, length);
  }
}
