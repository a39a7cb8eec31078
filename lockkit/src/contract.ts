// lockkit/contract: what both sides know of a lock. Safe for the agent's side.
export {
  defineLock,
  outcomeOfRefusal,
  refusalRow,
  toolName,
  type Action,
  type ExitCodes,
  type Flag,
  type LockContract,
  type LockDefinition,
  type Operands,
  type RenderedResult,
  type Shapes,
} from './contract/lock.js';
export { Fault, UserMistake } from './contract/fault.js';
export { accepted, refused, type Outcome } from './contract/outcome.js';
export {
  COMMON_REFUSALS,
  type CommonCode,
  type RefusalData,
  type RefusalRow,
  type RefusalTable,
  type Retry,
} from './contract/refusals.js';
