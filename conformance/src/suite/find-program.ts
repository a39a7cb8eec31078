// The lock's command as it was typed becomes words with an absolute program, before the suite changes folder.
// Called once for --lock. As a shell does it: a name with a slash is a path from here, any other is looked for in PATH.
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { UserMistake } from 'lockkit/contract';
import { splitCommand } from '../command-words.js';

export interface SearchPlace {
  readonly cwd: string;
  readonly path: string;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Later words that are files from here become absolute too: `python3 lock.py` must still find lock.py. */
export function resolveCommand(command: string, { cwd, path }: SearchPlace): readonly [string, ...string[]] {
  const [program, ...args] = splitCommand(command);
  const candidates = program.includes('/')
    ? [resolve(cwd, program)]
    : path.split(delimiter).map((folder) => resolve(cwd, folder, program));
  const found = candidates.find(isProgram);
  if (found === undefined) throw new UserMistake('--lock: its program is not there, or is not executable');
  return [found, ...args.map((word) => absolute(word, cwd))];
}

function absolute(word: string, cwd: string): string {
  const isFile =
    !word.startsWith('-') && statSync(join(cwd, word), { throwIfNoEntry: false })?.isFile() === true;
  return isFile && !word.startsWith('/') ? resolve(cwd, word) : word;
}
