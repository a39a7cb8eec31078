// lockssh as lockkit's console sees it: the contract, the policy, the session. Everything special about SSH.
import type { LockType } from 'lockkit/console';
import { locksshContract } from '../contract/lockssh-contract.js';
import type { SshPolicy } from '../contract/profile.js';
import { locksshPolicy } from '../later/policy-parts.js';
import { openSshSession } from './open-session.js';

export const locksshLock: LockType<SshPolicy> = {
  contract: locksshContract,
  policy: locksshPolicy,
  limits: ({ limits }) => ({ idleTimeoutMs: limits.idle_timeout, maxSessionMs: limits.max_session }),
  production: ({ production }) => production,
  needsHub: true,
  openSession: openSshSession,
};
