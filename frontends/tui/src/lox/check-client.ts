// lox decides, so it never runs in an account that may ask: an agent there could approve its own requests
// (docs/decisions.md, "Human"). Called before lox adds or runs anything.
import { UserMistake } from 'lockkit/contract';
import { groupByName, type Account } from 'lockkit/native';
import { loadSystemSettings, type SystemSettings } from 'lockkit/setting';

function isClient(
  { uid, gid, gids }: Pick<Account, 'uid' | 'gid' | 'gids'>,
  { clientGroup, allowedUids }: Pick<SystemSettings, 'clientGroup' | 'allowedUids'>,
  gidOf: (group: string) => number | null = groupByName,
): boolean {
  const clientGid = clientGroup === undefined ? null : gidOf(clientGroup);
  return allowedUids.includes(uid) || (clientGid !== null && (gid === clientGid || gids.includes(clientGid)));
}

/** Throws UserMistake when the account is a client of one of these locks. */
export function checkNoClient(locks: readonly string[], account: Account): void {
  for (const lock of new Set(locks))
    if (isClient(account, loadSystemSettings(lock)))
      throw new UserMistake(
        `the account ${account.name} is a client of ${lock}: lox decides, and never runs where an agent may ask. ` +
          'Use the console’s account, or one of your own that is in no client group.',
      );
}
