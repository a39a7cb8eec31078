// A console's hub key file (docs/hub-protocol.md, section 7): where the hub is, the token, and whose decisions count.
// Read once at the console's start. A file or a directory above it that anybody else could write is refused: who can
// change it can approve everything.
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { UserMistake } from '../../contract/fault.js';
import type { Decider } from '../check-decision.js';
import { keySchema } from '../wire-shapes.js';
import { parseHubUrl, type HubAddress } from './hub-address.js';

export interface HubKeyFile {
  readonly url: string;
  readonly address: HubAddress;
  readonly token: string;
  readonly deciders: readonly Decider[];
  readonly ca?: string;
}

const MAX_BYTES = 64 * 1024;
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;

const fileSchema = z.strictObject({
  url: z.string().refine((url) => parseHubUrl(url) !== null),
  token: keySchema,
  deciders: z
    .array(z.strictObject({ key: keySchema, role: z.enum(['human', 'auto']) }))
    .min(1)
    .max(64)
    .refine((deciders) => new Set(deciders.map(({ key }) => key)).size === deciders.length),
  ca: z.string().min(1).optional(),
});

/** `uid`: the console's account. `url`: the flag's. Throws UserMistake with a sentence; nothing of the file is in it. */
export function readHubKeyFile(path: string, uid: number, url: string): HubKeyFile {
  const bytes = readPrivately(path, [0, uid]);
  const parsed = fileSchema.safeParse(parseJson(bytes));
  bytes.fill(0);
  if (!parsed.success)
    throw new UserMistake(`${path} is no hub key file: {"url", "token", "deciders": [{"key", "role"}]}`);
  if (parsed.data.url !== url) throw new UserMistake(`${path} is for another hub than --hub names`);
  const { ca, ...rest } = parsed.data;
  return { ...rest, address: parseHubUrl(url) as HubAddress, ...(ca === undefined ? {} : { ca }) };
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

function readPrivately(path: string, owners: readonly number[]): Buffer {
  let fd: number;
  try {
    const folder = realpathSync(dirname(path));
    checkFolders(folder, owners);
    fd = openSync(join(folder, basename(path)), FLAGS);
  } catch (error) {
    if (error instanceof UserMistake) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new UserMistake(
      code === 'ELOOP' ? `${path} must not be a link` : `the hub key file ${path} cannot be read`,
    );
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile() || stat.nlink !== 1 || !owners.includes(stat.uid) || (stat.mode & 0o177) !== 0)
      throw new UserMistake(`${path} must be a plain file of root or this account, for it alone (chmod 600)`);
    if (stat.size > MAX_BYTES) throw new UserMistake(`${path} is too large for a hub key file`);
    return readWhole(fd, stat.size);
  } finally {
    closeSync(fd);
  }
}

/** The folder of the file is writable by its owner alone; further up a folder like /tmp may stand (sticky, root's). */
function checkFolders(folder: string, owners: readonly number[]): void {
  for (let at = folder; ; at = dirname(at)) {
    const { uid, mode } = lstatSync(at);
    const isSticky = at !== folder && uid === 0 && (mode & 0o1000) !== 0;
    if (!owners.includes(uid) || ((mode & 0o022) !== 0 && !isSticky))
      throw new UserMistake(`${at} can be written by others: the hub key file is not safe there`);
    if (at === dirname(at)) return;
  }
}

function readWhole(fd: number, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  for (let done = 0; done < size;) {
    const count = readSync(fd, bytes, done, size - done, null);
    if (count === 0) break;
    done += count;
  }
  return bytes;
}
