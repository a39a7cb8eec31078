// The socket's place in the file system: a dead socket is replaced, a live one means that the console already
// runs, any other file is never touched (docs/decisions.md, "Wire"). Called by the server at start and end.
import { chmodSync, lstatSync, statSync, unlinkSync } from 'node:fs';
import { createConnection, type Server } from 'node:net';
import { dirname } from 'node:path';
import { UserMistake } from '../contract/fault.js';

/** The folder must belong to the console's account and be closed to everybody else but its group. */
export function checkSocketFolder(path: string, ownUid: number): void {
  const folder = dirname(path);
  let stat;
  try {
    stat = lstatSync(folder);
  } catch {
    throw new UserMistake(`the socket folder ${folder} does not exist: run the install command as root`);
  }
  if (!stat.isDirectory() || stat.uid !== ownUid || (stat.mode & 0o027) !== 0)
    throw new UserMistake(
      `the socket folder ${folder} must belong to the console’s account with mode 2710 (chmod 2710 ${folder})`,
    );
}

function isAlive(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createConnection(path);
    probe.once('connect', () => {
      probe.destroy();
      resolve(true);
    });
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'ECONNREFUSED'));
  });
}

async function makeRoom(path: string): Promise<void> {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat) return;
  if (!stat.isSocket())
    throw new UserMistake('a file that is no socket stands where the console’s socket belongs: move it away');
  if (await isAlive(path)) throw new UserMistake('a console of this profile is already running');
  unlinkSync(path);
}

/** Listens at `path`, mode 0660. Resolves with a function that takes the socket away again, if it is still ours. */
export async function listenAt(server: Server, path: string): Promise<() => void> {
  await makeRoom(path);
  const before = process.umask(0o117);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, resolve);
    });
  } finally {
    process.umask(before);
  }
  chmodSync(path, 0o660);
  const mine = statSync(path);
  return () => {
    const now = lstatSync(path, { throwIfNoEntry: false });
    if (now && now.ino === mine.ino && now.dev === mine.dev) unlinkSync(path);
  };
}
