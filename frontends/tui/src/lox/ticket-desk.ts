// Tickets of the hub in lox: decided by rule where the approved policy says so, shown in the window where a human must
// decide, told when they ended. Called with the hub's news. What it shows was verified by the decider's end; it never
// approves by itself what decideByRules does not name.
import { untrusted, type Answer, type Line, type Screen } from 'lockkit/approval';
import { HubLost, type DeciderHub, type DeciderNews, type VerifiedEntry } from 'lockkit/hub';
import { decideByRules, type AutoVerdict, type DesktopLevel, type Ticket } from 'lockkit/tickets';
import type { Window } from '../window/window.js';
import { askValues, wipe } from './ask-values.js';
import type { LockRow } from './lock-list.js';
import type { RuleBook } from './rule-book.js';

export interface TicketDeskParts {
  readonly window: Pick<Window, 'ask' | 'withdraw' | 'note'>;
  /** The same hub, once with each key. */
  readonly human: () => Pick<DeciderHub, 'decide' | 'open'>;
  readonly auto: () => Pick<DeciderHub, 'decide'>;
  readonly rules: Pick<RuleBook, 'rulesFor'>;
  readonly desktopLevel: DesktopLevel;
  /** Which console signed it, and the console's id in the window. */
  readonly rowOf: (entry: VerifiedEntry) => { readonly row: LockRow; readonly source: string } | undefined;
}

const MAX_REMEMBERED = 1024;

const ENDED: Readonly<Record<string, string>> = {
  approved: 'this ticket was approved elsewhere',
  denied: 'this ticket was denied elsewhere',
  expired: 'nobody decided this ticket in time: it expired',
  withdrawn: 'this ticket was withdrawn',
  used: 'this ticket was used',
};

export class TicketDesk {
  readonly #parts: TicketDeskParts;
  /** Pending tickets that this lox has taken up, by id; `shown` ones stand in the window. */
  readonly #taken = new Map<string, { shown: boolean }>();

  /** Tickets that are no longer pending, the last ones; and who waits for one to be. */
  readonly #decided = new Set<string>();
  readonly #waiting = new Map<string, () => void>();

  constructor(parts: TicketDeskParts) {
    this.#parts = parts;
  }

  /** Resolves when the ticket is decided, or closed without a decision. */
  decided(id: string): Promise<void> {
    if (this.#decided.has(id)) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  hear(news: DeciderNews): void {
    const { window } = this.#parts;
    if (news.kind === 'ticket') this.take(news.entry);
    if (news.kind === 'gone') this.#forget(news.id, 'the hub does not know this ticket any more');
    if (news.kind === 'forged')
      window.note('', [`▲ a ticket that no console of this lox signed: it is not shown ${news.id ?? ''}`]);
    if (news.kind === 'lost')
      window.note('', [`▲ the hub is lost (${news.why}): nothing can be decided until it is back`]);
    if (news.kind === 'back') window.note('', ['the hub is back']);
  }

  /** A ticket as it stands now. */
  take(entry: VerifiedEntry): void {
    const { id } = entry.ticket;
    if (entry.state === 'pending') {
      if (this.#taken.has(id)) return;
      this.#taken.set(id, { shown: false });
      void this.#decide(entry);
      return;
    }
    this.#remember(id);
    this.#tell(entry);
    this.#forget(id, ENDED[entry.state] ?? 'this ticket is closed');
  }

  /** The console ended: what it asked can no longer run. */
  dropOf(source: string): void {
    for (const entry of this.#parts.human().open())
      if (this.#parts.rowOf(entry)?.source === source)
        this.#forget(entry.ticket.id, 'its console ended: this ticket can no longer run');
  }

  async #decide(entry: VerifiedEntry): Promise<void> {
    const verdict = await this.#byRule(entry);
    if (verdict.kind === 'ask') return this.#show(entry);
    const decision = {
      verdict: verdict.kind === 'approve' ? 'approved' : 'denied',
      rule: verdict.rule,
    } as const;
    const sent = await this.#send(() => this.#parts.auto().decide(entry, decision));
    if (sent !== 'done') this.#show(entry);
  }

  async #byRule(entry: VerifiedEntry): Promise<AutoVerdict> {
    const row = this.#parts.rowOf(entry)?.row;
    const rules = row && (await this.#parts.rules.rulesFor(entry.ticket, row));
    return rules ? decideByRules(entry.ticket, rules) : { kind: 'ask' };
  }

  #show(entry: VerifiedEntry): void {
    const { window, rowOf, desktopLevel } = this.#parts;
    const { ticket } = entry;
    const taken = this.#taken.get(ticket.id);
    if (taken === undefined) return;
    taken.shown = true;
    const about = { ticket: ticket.id, kind: ticket.kind, risk: ticket.risk };
    const source = rowOf(entry)?.source ?? '';
    const screen = withLevel(ticket, desktopLevel);
    window.ask({ id: ticket.id, source, screen, about }, (answer) => void this.#answer(entry, answer));
  }

  async #answer(entry: VerifiedEntry, answer: Answer): Promise<void> {
    const taken = this.#taken.get(entry.ticket.id);
    if (taken !== undefined) taken.shown = false;
    if (answer.kind !== 'yes' && answer.kind !== 'no') return;
    const { desktopLevel, window } = this.#parts;
    const source = this.#parts.rowOf(entry)?.source ?? '';
    const values =
      answer.kind === 'yes' ? await askValues(window, source, entry.ticket, desktopLevel) : new Map();
    if (values === null) return this.#show(entry);
    const reason = answer.kind === 'no' && answer.reason !== undefined ? { reason: answer.reason } : {};
    const verdict = answer.kind === 'yes' ? 'approved' : 'denied';
    const decision = { verdict, rule: 'human', desktopLevel, values, ...reason } as const;
    const sent = await this.#send(() => this.#parts.human().decide(entry, decision));
    wipe(values);
    if (sent === 'unknown') this.#show(entry);
  }

  /** `refused`: the hub or the state of the ticket is against it; `unknown`: nobody knows whether it arrived. */
  async #send(decide: () => ReturnType<DeciderHub['decide']>): Promise<'done' | 'refused' | 'unknown'> {
    const { window } = this.#parts;
    try {
      const answer = await decide();
      if (answer.ok) return 'done';
      window.note('', [`▲ the hub did not take the decision (${answer.code})`]);
      return 'refused';
    } catch (error) {
      if (!(error instanceof HubLost)) throw error;
      window.note('', [
        '▲ the hub was lost while it took the decision: nobody knows whether it counts; decide again',
      ]);
      return 'unknown';
    }
  }

  /** One line of the last outcomes. */
  #tell(entry: VerifiedEntry): void {
    const { ticket, state, decision, why } = entry;
    const by =
      decision?.decision.rule === 'human' ? ' by a human' : ` by the rule ${decision?.decision.rule ?? ''}`;
    const decided = decision === undefined || state === 'used' ? '' : by;
    const line: Line = [
      `${state}${decided}${why === undefined ? '' : ` (${why})`}: `,
      ...ticket.screen.title,
      ' ',
      untrusted(ticket.id),
    ];
    this.#parts.window.note(this.#parts.rowOf(entry)?.source ?? '', line);
  }

  #remember(id: string): void {
    this.#decided.add(id);
    const [oldest] = this.#decided;
    if (this.#decided.size > MAX_REMEMBERED && oldest !== undefined) this.#decided.delete(oldest);
    this.#waiting.get(id)?.();
    this.#waiting.delete(id);
  }

  #forget(id: string, why: string): void {
    const taken = this.#taken.get(id);
    this.#taken.delete(id);
    if (taken?.shown === true) this.#parts.window.withdraw(id, why);
  }
}

function withLevel(ticket: Ticket, level: DesktopLevel): Screen {
  if (ticket.kind !== 'unmask' || level === 3) return ticket.screen;
  const warning = `this window is at desktop level ${level}: the lock takes no approval of clear output from here`;
  return { ...ticket.screen, warnings: [...ticket.screen.warnings, [warning]] };
}
