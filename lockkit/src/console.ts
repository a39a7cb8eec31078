// lockkit/console: the console of any lock. Never loaded by the agent's side.
export { runConsole } from './console/run-console.js';
export { checkHub } from './console/console-hub.js';
export type { ConsoleParts, ConsoleWish } from './console/console-parts.js';
export type { ConsoleEnd } from './console/ending.js';
export type { DemoFolder } from './console/console-place.js';
export type {
  Answer,
  AutoRule,
  Call,
  Effect,
  EffectEnd,
  Grant,
  Handler,
  LockSession,
  LockType,
  Need,
  SessionLimits,
  SessionStart,
  Step,
} from './console/lock-type.js';
export type { LockPolicy, PolicyInForce } from './console/policy-desk.js';
