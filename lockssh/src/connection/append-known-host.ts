// Records a host key that the human trusted, as one line at the end of known_hosts.
// Called once after a yes. One write in append mode: what ssh appends at the same time is neither lost nor torn.

import { constants } from 'node:fs';
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';

const FLAGS = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK;

/** `line` ends with a newline (encodeKnownHostsLine). Creates the file (0600) and its folder (0700) where missing. */
export async function appendKnownHost(path: string, line: string): Promise<void> {
  if (!/^[^\n\r]+\n$/u.test(line)) throw new Error('known_hosts: not one line');
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const handle = await open(path, FLAGS, 0o600);
  try {
    if (!(await handle.stat()).isFile()) throw new Error('known_hosts: not a file');
    const bytes = Buffer.from(((await endsInLine(handle)) ? '' : '\n') + line, 'latin1');
    const { bytesWritten } = await handle.write(bytes, 0, bytes.length, null);
    if (bytesWritten !== bytes.length) throw new Error('known_hosts: could not be written');
    await handle.sync();
  } finally {
    await handle.close();
  }
}

// A last line without its newline would swallow the new one.
async function endsInLine(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat();
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  await handle.read(last, 0, 1, size - 1);
  return last[0] === 0x0a;
}
