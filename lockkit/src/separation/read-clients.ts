// The accounts that a console would serve: members of the clients' group and the accounts allowed by number; and for
// each, what else it may do on this machine. Called by read-session-facts and by install.
import type { Account } from '../native/kernel.js';
import type { FactsIo } from './facts-io.js';
import { DEVICE_GROUPS, ROOT_GROUPS } from './root-groups.js';
import type { ClientFact, RootWay } from './session-facts.js';

export interface ClientWish {
  readonly group: string | undefined;
  readonly allowedUids: readonly number[];
}

/** Every client once, by uid. An allowed uid without an account is a client of that number. */
export function readClients(io: FactsIo, { group, allowedUids }: ClientWish): readonly ClientFact[] {
  const gid = group === undefined ? null : io.groupByName(group);
  const members = group === undefined || gid === null ? [] : io.groupMembers(group, gid);
  const byName = members.flatMap((name) => {
    const account = io.accountByName(name);
    return account === null ? [] : [account];
  });
  const byUid = allowedUids.map((uid) => io.accountByUid(uid) ?? nameless(uid));
  const all = new Map([...byName, ...byUid].map((account) => [account.uid, account]));
  return [...all.values()].sort((a, b) => a.uid - b.uid).map((account) => clientOf(io, account));
}

function nameless(uid: number): Account {
  return { name: `uid ${String(uid)}`, uid, gid: uid, gids: [], home: '/' };
}

export function clientOf(io: FactsIo, account: Account): ClientFact {
  return {
    ...account,
    rootWays: rootWaysOf(io, account),
    deviceGroups: groupsOf(io, account, DEVICE_GROUPS),
  };
}

function rootWaysOf(io: FactsIo, account: Account): readonly RootWay[] {
  return [
    ...(account.uid === 0 ? [{ kind: 'uid' as const, name: 'uid 0' }] : []),
    ...groupsOf(io, account, ROOT_GROUPS).map((name) => ({ kind: 'group' as const, name })),
    ...(account.uid !== 0 && io.maySudo(account.name) === true
      ? [{ kind: 'sudo' as const, name: 'sudo' }]
      : []),
  ];
}

function groupsOf(io: FactsIo, { gid, gids }: Account, names: readonly string[]): readonly string[] {
  return names.filter((name) => {
    const wanted = io.groupByName(name);
    return wanted !== null && (gid === wanted || gids.includes(wanted));
  });
}
