// What a human typed for a ticket, sealed input by input. Called by the decider's client; the typed bytes are wiped
// here, whatever happens.
import type { SealedValue } from '../decision.js';
import { sealValue } from '../seal.js';
import type { Ticket } from '../ticket.js';

/** `values` by placeholder. undefined for a ticket without inputs. Throws an Error where a placeholder has no value. */
export async function sealInputs(
  ticket: Ticket,
  values: ReadonlyMap<string, Uint8Array>,
): Promise<Readonly<Record<string, SealedValue>> | undefined> {
  try {
    if (ticket.inputs === undefined) return undefined;
    const sealed: [string, SealedValue][] = [];
    for (const { name, placeholder } of ticket.inputs) {
      const value = values.get(placeholder);
      if (value === undefined) throw new Error('a ticket with inputs was approved without their values');
      sealed.push([name, await sealValue(ticket, name, value)]);
    }
    return Object.fromEntries(sealed);
  } finally {
    for (const value of values.values()) value.fill(0);
  }
}
