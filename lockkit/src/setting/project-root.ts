// Which project a command or a console is about: the nearest folder upwards that holds `.<lock>`, else where it
// was started. Both sides must agree, so both use this file; the path is real, without links.
import { realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UserMistake } from '../contract/fault.js';

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** The absolute project root for `start` (a folder that exists). */
export function findProjectRoot(lock: string, start: string): string {
  let folder: string;
  try {
    folder = realpathSync(start);
  } catch {
    throw new UserMistake('the project folder does not exist or cannot be read');
  }
  const first = folder;
  for (;;) {
    if (isFolder(join(folder, `.${lock}`))) return folder;
    const parent = dirname(folder);
    if (parent === folder) return first;
    folder = parent;
  }
}
