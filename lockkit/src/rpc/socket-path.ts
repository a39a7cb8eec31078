// Where the socket of a console is (docs/decisions.md, "Wire"): both sides compute the same name.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { UserMistake } from '../contract/fault.js';

const MAX_PATH_BYTES = 107;

export interface SocketName {
  readonly socketDir: string;
  /** The project's absolute root, or null for a profile of the account's own configuration. */
  readonly projectRoot: string | null;
  readonly profile: string;
  readonly instance?: string;
}

function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The socket's path; a profile that makes it too long is replaced by `~` and 16 hex digits of its hash. */
export function socketPath({ socketDir, projectRoot, profile, instance }: SocketName): string {
  const place = projectRoot === null ? 'user' : sha256Hex(projectRoot).slice(0, 8);
  const at = instance === undefined ? '' : `@${instance}`;
  const plain = join(socketDir, `${place}-${profile}${at}.sock`);
  if (Buffer.byteLength(plain) <= MAX_PATH_BYTES) return plain;
  const short = join(socketDir, `${place}-~${sha256Hex(profile).slice(0, 16)}${at}.sock`);
  if (Buffer.byteLength(short) <= MAX_PATH_BYTES) return short;
  throw new UserMistake('socket_dir or the instance name is too long: a socket’s path holds 107 bytes');
}
