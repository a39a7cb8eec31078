// Why a hub cannot be used. Thrown by the wire, told by the clients; it never holds a word of the hub's.
import type { HubCode } from '../hub/hub-codes.js';

/** `down`: nobody there or cut off. `slow`: no answer in time. `stranger`: not the account it should be. */
export type LostWhy = 'down' | 'slow' | 'stranger' | 'nonsense';

/** The hub cannot be used now; nobody knows whether it took the last request. */
export class HubLost extends Error {
  override readonly name = 'HubLost';
  readonly why: LostWhy;
  constructor(why: LostWhy) {
    super(`the hub is lost: ${why}`);
    this.why = why;
  }
}

/** An error of the network as the loss that it is; a bug stays what it is. */
export function asLost(error: unknown): Error {
  if (error instanceof HubLost) return error;
  const isOfTheWorld = error instanceof Error && typeof (error as NodeJS.ErrnoException).code === 'string';
  return isOfTheWorld ? new HubLost('down') : (error as Error);
}

/** The hub is there and says no: a wrong token, another lock. */
export class HubRefused extends Error {
  override readonly name = 'HubRefused';
  readonly code: HubCode;
  constructor(code: HubCode) {
    super(`the hub refuses this console: ${code}`);
    this.code = code;
  }
}

/** For news and records: a code of the hub's, or how it was lost. */
export function whyLost(error: unknown): LostWhy | HubCode {
  if (error instanceof HubRefused) return error.code;
  return error instanceof HubLost ? error.why : 'nonsense';
}
