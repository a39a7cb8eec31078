// The program behind a lock's name: an absolute path, found once when the lock is added. Called by `lox add`.
import { accessSync, constants, statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { UserMistake } from 'lockkit/contract';

/** `lock` is a name on the PATH, or a path. Relative entries of the PATH are not looked at. */
export function findCommand(lock: string, cwd: string, path: string): string {
  if (lock.includes('/')) return resolve(cwd, lock);
  const found = path
    .split(':')
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, lock))
    .find(isProgram);
  if (found === undefined)
    throw new UserMistake(`there is no command of that name on the PATH: is the lock installed?`);
  return found;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
