// Who decides the tickets of a console: its own human (here) or deciders behind a hub (hub-decider.ts). Called by the
// ticket desk, which alone moves the states. What comes back was verified by the form it came through; nothing here may
// turn silence, a loss or a doubt into a yes.
import type { Human } from '../approval/human.js';
import type { DesktopLevel } from '../tickets/decision.js';
import type { OpenedValues } from '../tickets/seal.js';
import type { Ticket } from '../tickets/ticket.js';

export type TicketVerdict =
  | {
      readonly kind: 'approved';
      /** `human`, or the auto rule. */
      readonly rule: string;
      readonly desktopLevel?: DesktopLevel;
      /** The public key of the decider behind the hub. */
      readonly decider?: string;
      /** By the input's name; the receiver wipes them. */
      readonly values?: OpenedValues;
    }
  | {
      readonly kind: 'denied';
      readonly rule: string;
      readonly desktopLevel?: DesktopLevel;
      readonly decider?: string;
      readonly reason?: string;
    }
  /** Nobody waits for it any more, or its decision cannot count (`why`, a code). */
  | { readonly kind: 'withdrawn'; readonly why?: string }
  | { readonly kind: 'no_answer' };

export interface TicketAsking {
  /** Counted from when the ticket is with whoever decides; then `no_answer`. */
  readonly timeoutMs: number;
  /** Aborted: nobody waits for the answer; then `withdrawn`. */
  readonly signal?: AbortSignal;
  /** A human's approval below this desktop level does not count. */
  readonly levelNeeded: DesktopLevel;
}

export interface TicketDecider {
  /** A hub may decide by rule, and takes typed values sealed. */
  readonly kind: 'terminal' | 'hub';
  /** The key that typed values are sealed to, for a ticket that will hold it; only a hub has one. */
  readonly makeSealKey?: () => Promise<string>;
  /**
   * Puts the ticket before whoever decides. Resolves with the promise of the verdict once it is there;
   * `unreachable`: it is not, and nobody will decide it.
   */
  readonly ask: (
    ticket: Ticket,
    asking: TicketAsking,
  ) => Promise<{ readonly verdict: Promise<TicketVerdict> } | 'unreachable'>;
  /** How a ticket ended at this console, for the record of a hub. */
  readonly ended: (ticket: Ticket, state: 'used' | 'withdrawn' | 'expired', why?: string) => void;
}

/** The console's own terminal or window. */
export function decideByHuman(human: Pick<Human, 'ask'>, desktopLevel: DesktopLevel): TicketDecider {
  return {
    kind: 'terminal',
    ask: (ticket, { timeoutMs, signal }) => {
      const about = { ticket: ticket.id, kind: ticket.kind, risk: ticket.risk };
      const answer = human.ask(ticket.screen, { timeoutMs, about, ...(signal ? { signal } : {}) });
      return Promise.resolve({
        verdict: answer.then((said): TicketVerdict => {
          if (said.kind === 'yes') return { kind: 'approved', rule: 'human', desktopLevel };
          if (said.kind === 'withdrawn') return { kind: 'withdrawn' };
          if (said.kind !== 'no') return { kind: 'no_answer' };
          const reason = said.reason === undefined ? {} : { reason: said.reason };
          return { kind: 'denied', rule: 'human', desktopLevel, ...reason };
        }),
      });
    },
    ended: () => undefined,
  };
}
