// Where fetched files lie: one 0700 folder a handle, in the console account's state folder, gone on release, when
// the console ends, and at the next start after a crash. Called by the plan. Nothing else may live in it.
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { Fault } from 'lockkit/contract';
import { lockFile } from 'lockkit/native';

export interface Workspace {
  /** Makes the folder of a handle and gives the path of its file-to-be. */
  readonly create: (handle: string) => string;
  readonly remove: (handle: string) => void;
  /** Removes every handle's folder and the workspace itself. */
  readonly close: () => void;
}

const DIRECTORY = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * Makes a workspace of its own under `<stateDir>/workspace`, and wipes those whose console is gone: a living console
 * holds a lock on its folder, and the lock ends with the process. Throws Fault when the folder is not the account's.
 */
export function openWorkspace(stateDir: string): Workspace {
  const base = join(stateDir, 'workspace');
  mkdirSync(base, { recursive: true, mode: 0o700 });
  checkOwn(base);
  for (const name of readdirSync(base)) wipeAbandoned(join(base, name));
  const { root, lock } = makeLocked(base);
  let open = true;
  return {
    create: (handle) => {
      const dir = join(root, handle);
      mkdirSync(dir, { mode: 0o700 });
      return join(dir, 'file');
    },
    remove: (handle) => wipe(join(root, handle)),
    close: () => {
      if (!open) return;
      open = false;
      wipe(root);
      closeSync(lock);
    },
  };
}

function wipe(path: string): void {
  rmSync(path, { recursive: true, force: true });
}

function checkOwn(path: string): void {
  const facts = lstatSync(path);
  if (!facts.isDirectory() || facts.uid !== process.getuid?.())
    throw new Fault('E_INTERNAL', 'the workspace is not a folder of the console’s account');
  chmodSync(path, 0o700);
}

function wipeAbandoned(path: string): void {
  let fd: number;
  try {
    fd = openSync(path, DIRECTORY);
  } catch {
    return wipe(path);
  }
  try {
    if (lockFile(fd)) wipe(path);
  } finally {
    closeSync(fd);
  }
  return undefined;
}

/** Another console that starts just now may take a folder for abandoned before its lock is held: then anew. */
function makeLocked(base: string): { readonly root: string; readonly lock: number } {
  for (let attempt = 0; attempt < 16; attempt++) {
    const root = join(base, randomBytes(8).toString('hex'));
    mkdirSync(root, { mode: 0o700 });
    const lock = openExisting(root);
    if (lock === null) continue;
    if (lockFile(lock) && isStill(root, lock)) return { root, lock };
    closeSync(lock);
  }
  throw new Fault('E_INTERNAL', 'no workspace could be made');
}

function openExisting(path: string): number | null {
  try {
    return openSync(path, DIRECTORY);
  } catch {
    return null;
  }
}

function isStill(path: string, fd: number): boolean {
  const there = lstatSync(path, { throwIfNoEntry: false });
  return there !== undefined && there.ino === fstatSync(fd).ino;
}
