// What install has to know of this machine before it plans, as plain data. Made by read-install-facts.
import type { Account } from '../../native/kernel.js';
import type { SystemSettings } from '../../setting/system-settings.js';
import type { ClientFact } from '../session-facts.js';

/** One package of the program, and which of its entries are copied. */
export interface PackageCopy {
  readonly folder: string;
  /** `node_modules/@lockkit/lockssh` */
  readonly place: string;
  /** Relative to `folder`, each a file or a whole folder. */
  readonly entries: readonly string[];
}

export interface ProgramCopy {
  readonly node: string;
  readonly packages: readonly PackageCopy[];
  /** The command's file: `node_modules/@lockkit/lockssh/bin/lockssh.cjs` */
  readonly command: string;
  /** `lox` in the copy, or null when the product comes without it. */
  readonly window: string | null;
  /** This command is the installed copy itself: there is nothing to copy. */
  readonly isInstalled: boolean;
  /** Entries that a client, or any account, could have written, and who; the first few. */
  readonly writable: readonly { readonly path: string; readonly who: string }[];
  /** Ordinary accounts that own some of it: they are trusted not to be clients, now or later. */
  readonly writers: readonly number[];
}

export interface InstallFacts {
  readonly uid: number;
  /** null: there is no system.toml. */
  readonly settings: SystemSettings | null;
  readonly user: string;
  readonly service: Account | null;
  readonly group: string;
  readonly clientGid: number | null;
  /** A group named as the account that would be made. */
  readonly userGroupExists: boolean;
  /** The home that the account would get is there already. */
  readonly homeExists: boolean;
  /** Members of the clients' group now, and the clients that were named. */
  readonly clients: readonly ClientFact[];
  /** Clients that were named and have no account. */
  readonly unknownClients: readonly string[];
  readonly program: ProgramCopy;
  readonly starter: 'absent' | 'ours' | 'link' | 'foreign';
  /** The starter of `lox`; `others`: another lock's, or another program, root's alone; `foreign`: anything else. */
  readonly window: 'absent' | 'ours' | 'others' | 'foreign';
  readonly library: 'absent' | 'ours' | 'foreign';
  readonly hasTmpfiles: boolean;
  readonly isProcHidden: boolean;
  readonly isProcInFstab: boolean;
  readonly shell: string;
  /** Other locks whose system.toml names the same group. */
  readonly groupUsedBy: readonly string[];
  /** The clients' group was made by install. */
  readonly groupIsOurs: boolean;
  /** Processes that run the installed program. */
  readonly running: readonly number[];
}

/** Where the account that install makes gets its home. */
export function homeOf(user: string): string {
  return `/var/lib/${user}`;
}
