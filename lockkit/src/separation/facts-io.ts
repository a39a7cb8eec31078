// The few ways in which facts about this machine are read. Everything in this folder takes it as a parameter, so that
// every combination of accounts, sessions and files is a table in a test. The real one is open-facts-io.ts.
import type { Account } from '../native/kernel.js';
import type { PathFact, TerminalFact } from './session-facts.js';

export interface FactsIo {
  readonly uid: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The running Node.js binary. */
  readonly nodePath: string;
  /** A small file's text, or null when it cannot be read. */
  readonly readText: (path: string) => string | null;
  /** `lstat`; null when there is nothing, or it cannot be looked at. */
  readonly look: (path: string) => PathFact | null;
  /** Names in a folder, sorted; none when it cannot be read. */
  readonly list: (path: string) => readonly string[];
  /** Without links; null when it leads nowhere. */
  readonly realPath: (path: string) => string | null;
  /** What a link says, whether it leads somewhere or not; null when it is none. */
  readonly readLink: (path: string) => string | null;
  /** The terminals behind descriptors 0, 1 and 2, each once. */
  readonly terminals: () => readonly TerminalFact[];
  readonly accountByUid: (uid: number) => Account | null;
  readonly accountByName: (name: string) => Account | null;
  readonly groupByName: (name: string) => number | null;
  /** Names of the members of a group, primary members included. */
  readonly groupMembers: (group: string, gid: number) => readonly string[];
  /** Does a sudo rule name this account? null: only root can tell. */
  readonly maySudo: (name: string) => boolean | null;
  /** Asks the kernel as that account; null: only root or the account itself can. */
  readonly tryRead: (account: Account, path: string, need: 'enter' | 'list' | 'read') => boolean | null;
}
