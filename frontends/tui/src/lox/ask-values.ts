// The values that a ticket binds by placeholder, typed by the human after the approval, one question each. Used by the
// ticket desk. They are never echoed, never kept, and leave this process sealed or not at all.
import { untrusted, type Answer, type Screen } from 'lockkit/approval';
import type { DesktopLevel, Ticket, TicketInput } from 'lockkit/tickets';
import type { Window } from '../window/window.js';

type Values = ReadonlyMap<string, Uint8Array>;

/** By placeholder, typed once each; null: the human gave one of them up. */
export async function askValues(
  window: Pick<Window, 'ask'>,
  source: string,
  ticket: Ticket,
  level: DesktopLevel,
): Promise<Values | null> {
  const values = new Map<string, Uint8Array>();
  const inputs = new Map((ticket.inputs ?? []).map((input) => [input.placeholder, input]));
  for (const [placeholder, input] of inputs) {
    const id = `${ticket.id} ${placeholder}`;
    const answer = await new Promise<Answer>((resolve) =>
      window.ask(
        { id, source, screen: valueScreen(ticket, input, level), about: { ticket: ticket.id } },
        resolve,
      ),
    );
    if (answer.kind !== 'secret') {
      wipe(values);
      return null;
    }
    values.set(placeholder, answer.value);
  }
  return values;
}

export function wipe(values: Values): void {
  for (const value of values.values()) value.fill(0);
}

function valueScreen(
  ticket: Ticket,
  { placeholder, kind, max_bytes: maxBytes }: TicketInput,
  level: DesktopLevel,
): Screen {
  const warnings =
    level === 3 ? [] : [['at this desktop level the agent’s account may read what is typed here']];
  return {
    title: [...ticket.screen.title, ' · a value to type'],
    origin: [],
    sections: [
      {
        kind: 'facts',
        facts: [
          { label: 'for', value: [untrusted(`\${${placeholder}}`)] },
          { label: 'kind', value: [`${kind}, at most ${maxBytes} bytes`] },
        ],
      },
    ],
    warnings,
    question: { kind: 'secret', prompt: ['type the value'], maxBytes },
  };
}
