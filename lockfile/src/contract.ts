// @lockkit/lockfile/contract: lockfile as an agent sees it. Safe for the agent's side.
export { lockfileContract } from './contract/lockfile-contract.js';
export { LOCKFILE_REFUSALS, type LockfileCode } from './contract/refusals.js';
