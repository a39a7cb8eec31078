// /etc/<lock>/system.toml: what root decided about a lock on this machine. Read by both sides at their start.
// A file that somebody but root could have written, or that holds an unknown key, is refused, never half used.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { parse } from 'smol-toml';
import * as z from 'zod/mini';
import { UserMistake } from '../contract/fault.js';

const MAX_BYTES = 64 * 1024;
const name = z.string().check(z.regex(/^[a-z_][a-z0-9_-]{0,31}$/));

// zod/mini: this file is read by every command of the agent's side, which starts without the whole of zod.
const schema = z.strictObject({
  service_user: z.optional(name),
  client_group: z.optional(name),
  socket_dir: z.optional(z.string().check(z.startsWith('/'))),
  allowed_uids: z.optional(
    z.array(z.int().check(z.minimum(0), z.maximum(0xffff_fffe))).check(z.maxLength(64)),
  ),
  x11: z.optional(z.enum(['refuse', 'warn'])),
  production_level: z.optional(z.literal([1, 2, 3])),
});

export interface SystemSettings {
  /** The console's account; undefined: not installed on this machine. */
  readonly serviceUser?: string;
  readonly clientGroup?: string;
  readonly socketDir: string;
  readonly allowedUids: readonly number[];
  readonly x11: 'refuse' | 'warn';
  /** The lowest desktop level on which production runs. */
  readonly productionLevel: 1 | 2 | 3;
}

export function systemFile(lock: string): string {
  return `/etc/${lock}/system.toml`;
}

function readRootFile(path: string): Buffer | null {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new UserMistake(`${path} cannot be read: check its owner and mode`);
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile() || stat.uid !== 0 || (stat.mode & 0o022) !== 0)
      throw new UserMistake(`${path} must be a file that only root can write: chown root, chmod 644`);
    if (stat.size > MAX_BYTES) throw new UserMistake(`${path} is larger than 64 KiB`);
    const bytes = Buffer.alloc(stat.size);
    return bytes.subarray(0, readSync(fd, bytes, 0, stat.size, 0));
  } finally {
    closeSync(fd);
  }
}

/** The settings of a lock; defaults where the file is absent. Throws UserMistake with the key, never a value. */
export function loadSystemSettings(lock: string, path: string = systemFile(lock)): SystemSettings {
  const bytes = readRootFile(path);
  const parsed =
    bytes === null ? { success: true as const, data: {} } : schema.safeParse(parseToml(bytes, path));
  if (!parsed.success) {
    const key = parsed.error.issues[0]?.path.join('.') || 'a key that is not known';
    throw new UserMistake(`${path}: ${key} is not as it must be`);
  }
  const data: z.infer<typeof schema> = parsed.data;
  return {
    ...(data.service_user === undefined ? {} : { serviceUser: data.service_user }),
    ...(data.client_group === undefined ? {} : { clientGroup: data.client_group }),
    socketDir: data.socket_dir ?? `/run/${lock}`,
    allowedUids: data.allowed_uids ?? [],
    x11: data.x11 ?? 'warn',
    productionLevel: data.production_level ?? 3,
  };
}

function parseToml(bytes: Buffer, path: string): unknown {
  try {
    return parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new UserMistake(`${path} is not valid TOML`);
  }
}
