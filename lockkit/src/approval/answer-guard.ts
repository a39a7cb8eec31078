// Which keys count as an answer (docs/decisions.md, "Human" and "Limits against an agent that floods or stalls"): none
// that was typed before the question could be read, none in a stream of other keys, none that a terminal or a paste
// sent. A pure machine over times; it never sees what was typed. Called by every form of the human that reads keys.

/** `foreign`: pastes, replies of the terminal, keys without a meaning here. */
export type KeyClass = 'text' | 'edit' | 'enter' | 'foreign';

/**
 * `take`: the key belongs to the line. `enter`: the line is ended and counts unless a key follows too soon.
 * `drop`: ignore it. `spoil`: throw the whole line away. `resume`: the thrown-away line has ended, ask again.
 */
export type GuardEffect = 'take' | 'enter' | 'drop' | 'spoil' | 'resume';

export interface Guard {
  /** Keys before this moment never count. */
  readonly opensAtMs: number;
  /** When the last key came that did not count. */
  readonly foreignAtMs: number;
  /** Until Enter, or a second of silence, nothing counts. */
  readonly spoiled: boolean;
  readonly started: boolean;
  readonly enteredAtMs: number | null;
}

/** From the appearance of a question to the first key that counts. */
export const APPEARANCE_GUARD_MS = 300;
/** As above, when something else on the screen changed. */
export const CHANGE_GUARD_MS = 1000;
/** Silence that a line needs before its first key and after its Enter. */
export const QUIET_MS = 150;
/** Silence after which a spoiled line is forgotten. */
const FORGET_MS = 1000;

export function openGuard(nowMs: number, guardMs: number): Guard {
  return {
    opensAtMs: nowMs + guardMs,
    foreignAtMs: Number.NEGATIVE_INFINITY,
    spoiled: false,
    started: false,
    enteredAtMs: null,
  };
}

/** What a key does. An ended line that was not taken yet (decideQuiet) is spoiled by it. */
export function decideKey(guard: Guard, key: KeyClass, nowMs: number): { guard: Guard; effect: GuardEffect } {
  const enter = key === 'enter';
  const ignored: Guard = { ...guard, foreignAtMs: nowMs, started: false, enteredAtMs: null, spoiled: !enter };
  if (guard.enteredAtMs !== null) return { guard: { ...ignored, spoiled: true }, effect: 'spoil' };
  if (nowMs < guard.opensAtMs) return { guard: ignored, effect: guard.started ? 'spoil' : 'drop' };
  const silenceMs = nowMs - guard.foreignAtMs;
  if (guard.spoiled && silenceMs < FORGET_MS) return { guard: ignored, effect: enter ? 'resume' : 'drop' };
  if (key === 'foreign')
    return { guard: { ...ignored, spoiled: guard.started }, effect: guard.started ? 'spoil' : 'drop' };
  if (!guard.started && silenceMs < QUIET_MS) return { guard: ignored, effect: 'drop' };
  const counting: Guard = { ...guard, spoiled: false, started: true };
  return enter
    ? { guard: { ...counting, enteredAtMs: nowMs }, effect: 'enter' }
    : { guard: counting, effect: 'take' };
}

/** Whether the ended line counts now: its Enter was followed by silence. Ask after reading what the system holds. */
export function decideQuiet(guard: Guard, nowMs: number): boolean {
  return guard.enteredAtMs !== null && nowMs - guard.enteredAtMs >= QUIET_MS;
}

/** Bytes of this moment may be old (the process slept): nothing counts until the guard has passed again. */
export function distrust(guard: Guard, nowMs: number): Guard {
  return { ...guard, opensAtMs: Math.max(guard.opensAtMs, nowMs + APPEARANCE_GUARD_MS) };
}
