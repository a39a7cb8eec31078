// The desktop level of the terminal that lox runs in: the lowest over all its locks, because what counts as an agent's
// account differs from lock to lock. Called once at the start.
import { decideDesktopLevel, openFactsIo, readSessionFacts, type DesktopLevel } from 'lockkit/separation';
import { loadSystemSettings, systemFile } from 'lockkit/setting';

/** Without any lock it is 1: nothing is known. */
export function readOwnLevel(
  locks: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  productFolder: string,
): DesktopLevel {
  const io = openFactsIo(env);
  const levels = [...new Set(locks)].map((lock) => {
    const wish = {
      settings: loadSystemSettings(lock),
      systemFile: systemFile(lock),
      productFolder,
      allowedUids: [],
    };
    return decideDesktopLevel(readSessionFacts(io, wish)).level;
  });
  return levels.length === 0 ? 1 : (Math.min(...levels) as DesktopLevel);
}
