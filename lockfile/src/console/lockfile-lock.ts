// lockfile as lockkit's console sees it: the contract, the policy, the session. Everything special about files.
import type { LockType } from 'lockkit/console';
import { lockfileContract } from '../contract/lockfile-contract.js';
import type { FilePolicy } from '../contract/profile.js';
import { lockfilePolicy } from '../later/policy-parts.js';
import { openFileSession } from './open-session.js';

export interface LockfileFolders {
  /** Where plugins are installed. */
  readonly pluginsDir: string;
}

export function makeLockfileLock({ pluginsDir }: LockfileFolders): LockType<FilePolicy> {
  return {
    contract: lockfileContract,
    policy: lockfilePolicy,
    limits: ({ limits }) => ({ idleTimeoutMs: limits.idle_timeout, maxSessionMs: limits.max_session }),
    production: ({ production }) => production,
    // A plugin can write into its own argv, which any account may read in /proc.
    needsHiddenProcesses: true,
    openSession: (start) => openFileSession(start, pluginsDir),
  };
}
