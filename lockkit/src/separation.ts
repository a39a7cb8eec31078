// lockkit/separation: where a console may run, how a lock is installed, and what doctor looks at.
export {
  areProcessesHidden,
  checkStart,
  standingWarnings,
  type LockTraits,
  type StartQuestion,
} from './separation/check-start.js';
export {
  decideDesktopLevel,
  type DesktopLevel,
  type DesktopReason,
  type DesktopVerdict,
} from './separation/decide-desktop-level.js';
export type { FactsIo } from './separation/facts-io.js';
export { openFactsIo } from './separation/open-facts-io.js';
export { readSessionFacts, type FactsWish } from './separation/read-session-facts.js';
export type * from './separation/session-facts.js';
export { renderRefusals, type StartCode, type StartRefusal } from './separation/start-refusal.js';
