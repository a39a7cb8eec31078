// What the players of one run share: the lock under test, its facts, the case's home, the limits. Made by run-suite.
import type { CleanHome } from './clean-home.js';
import type { LockFacts } from './lock-facts.js';

/** The lock and how to reach its console; the same for every case. */
export interface SuiteSetting {
  /** The lock's command; its program is an absolute path. */
  readonly lock: readonly [string, ...string[]];
  readonly facts: LockFacts;
  readonly unknown: readonly ('target' | 'action')[];
  /** The socket of a running console of the lock; null: not given. */
  readonly socketPath: string | null;
  /** What points the lock's client at sockets in `{sockets}`. */
  readonly clientEnv: Readonly<Record<string, string>>;
  /** Longest time of one command, or of one answer. */
  readonly timeoutMs: number;
  /** The account that is not root, where the suite may choose one: PLAIN_UID, undefined for its own, null for none. */
  readonly plainUid: number | undefined | null;
  readonly mayMount: boolean;
}

/** One case while it runs. */
export interface CaseRun {
  readonly setting: SuiteSetting;
  readonly home: CleanHome;
  /** The account that owns the home. */
  readonly uid: number | undefined;
  readonly words: Readonly<Record<string, string>>;
}
