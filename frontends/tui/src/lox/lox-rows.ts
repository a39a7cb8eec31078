// The rows of lox's list with the account that each console lives in, as root's settings say. Called by `lox run`.
import { UserMistake } from 'lockkit/contract';
import { accountByName, type Account } from 'lockkit/native';
import { loadSystemSettings } from 'lockkit/setting';
import type { LockRow } from './lock-list.js';
import type { LoxRow } from './run-lox.js';

export function toLoxRows(rows: readonly LockRow[], own: Account): readonly LoxRow[] {
  return rows.map((row) => {
    const { serviceUser } = loadSystemSettings(row.lock);
    const account = serviceUser === undefined ? own : accountByName(serviceUser);
    if (account === null)
      throw new UserMistake(`the account in /etc/${row.lock}/system.toml (service_user) does not exist`);
    return { ...row, consoleUid: account.uid, consoleAccount: account.name };
  });
}
