// The desktop level of the terminal that lox runs in: the lowest over all its locks, because what counts as an agent's
// account differs from lock to lock. Called once at the start. lox holds the keys that decide, so where a lock is
// installed it never runs a program that one of that lock's clients could have written.
import { UserMistake } from 'lockkit/contract';
import {
  checkProgram,
  decideDesktopLevel,
  openFactsIo,
  readSessionFacts,
  renderRefusals,
  type DesktopLevel,
} from 'lockkit/separation';
import { loadSystemSettings, systemFile } from 'lockkit/setting';

/** Without any lock it is 1: nothing is known. Throws UserMistake where a client could have written this program. */
export function readOwnLevel(
  locks: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  productFolder: string,
): DesktopLevel {
  const io = openFactsIo(env);
  const levels = [...new Set(locks)].map((lock) => {
    const settings = loadSystemSettings(lock);
    const wish = { settings, systemFile: systemFile(lock), productFolder, allowedUids: [] };
    const facts = readSessionFacts(io, wish);
    const refusals = checkProgram({ facts, lock: { name: lock, needsHiddenProcesses: false } });
    if (settings.serviceUser !== undefined && refusals.length > 0)
      throw new UserMistake(`lox decides nothing here:\n  ${renderRefusals(refusals)}`);
    return decideDesktopLevel(facts).level;
  });
  return levels.length === 0 ? 1 : (Math.min(...levels) as DesktopLevel);
}
