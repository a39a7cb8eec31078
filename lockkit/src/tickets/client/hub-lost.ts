// Why a hub cannot be used. Thrown by the wire, told by the clients; it never holds a word of the hub's.

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
