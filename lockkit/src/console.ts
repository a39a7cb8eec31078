// lockkit/console: the console of any lock. Never loaded by the agent's side.
export { runConsole, type ConsoleEnd, type ConsoleParts, type ConsoleWish } from './console/run-console.js';
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
