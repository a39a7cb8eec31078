// May an account read a path? By asking the kernel as that account where that is possible, else by the permission bits.
// Called by doctor's project check.
import type { Account } from '../../native/kernel.js';
import type { FactsIo } from '../facts-io.js';
import type { PathFact } from '../session-facts.js';

/** `certain`: the kernel said so. Bits alone may be wrong where there are access lists. */
export interface ReadVerdict {
  readonly may: boolean;
  readonly certain: boolean;
}

/** A folder must be entered and listed, a folder above it only entered, a file read. */
export type ReadNeed = 'enter' | 'list' | 'read';

const BITS: Readonly<Record<ReadNeed, number>> = { enter: 1, list: 5, read: 4 };

export function mayRead(io: FactsIo, account: Account, fact: PathFact, need: ReadNeed): ReadVerdict {
  const asked = io.tryRead(account, fact.path, need);
  return asked === null ? mayReadByBits(account, fact, need) : { may: asked, certain: true };
}

/** For what lies behind a closed door, where the kernel could only answer for the door. */
export function mayReadByBits(account: Account, fact: PathFact, need: ReadNeed): ReadVerdict {
  return { may: (bitsFor(account, fact) & BITS[need]) === BITS[need], certain: false };
}

function bitsFor({ uid, gid, gids }: Account, fact: PathFact): number {
  if (uid === 0) return 7;
  if (fact.uid === uid) return fact.mode >> 6;
  return fact.gid === gid || gids.includes(fact.gid) ? fact.mode >> 3 : fact.mode;
}
