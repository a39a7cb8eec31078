// Reads what `policy check` and `policy diff` are pointed at: one file, or a folder with config.toml and pii.toml.
// These are an author's own files: they are bounded and must be regular, and nothing else is asked of them.
import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { UserMistake } from 'lockkit/contract';
import { MAX_POLICY_BYTES, type PolicyFile, type PolicyFiles } from 'lockkit/policy';

function readFile(path: string, optional: boolean): PolicyFile | undefined {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (optional && (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new UserMistake('a policy file does not exist or cannot be read');
  }
  try {
    if (!fstatSync(fd).isFile()) throw new UserMistake('a policy must be a regular file');
    // One byte more than may be: the loader says that it is too large.
    const bytes = Buffer.alloc(MAX_POLICY_BYTES + 1);
    let length = 0;
    for (;;) {
      const read = readSync(fd, bytes, length, bytes.length - length, null);
      length += read;
      if (read === 0 || length === bytes.length) break;
    }
    return { name: path, bytes: bytes.subarray(0, length) };
  } finally {
    closeSync(fd);
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

export function readFiles(path: string): PolicyFiles {
  if (isFolder(path)) {
    const config = readFile(join(path, 'config.toml'), true);
    const pii = readFile(join(path, 'pii.toml'), true);
    if (!config && !pii) throw new UserMistake('the folder holds neither config.toml nor pii.toml');
    return { ...(config ? { config } : {}), ...(pii ? { pii } : {}) };
  }
  const file = readFile(path, false) as PolicyFile;
  return basename(path) === 'pii.toml' ? { pii: file } : { config: file };
}
