// The one path of an effect: auto rules, ticket, human, audit of the start, re-check, effect, audit of the end.
// Called by the console's dispatcher with a request whose shape and check are done. The order is contract:
// nothing is touched before the start is on disk, and no answer leaves before the end is.
import type { Screen } from '../approval/screen.js';
import { accepted, refused, type Outcome } from '../contract/outcome.js';
import type { Claim, Entry, TicketLedger } from '../tickets/ledger.js';
import type { OpenedValues } from '../tickets/seal.js';
import { hashSubject, type TicketKind } from '../tickets/ticket.js';
import type { Call, Effect, EffectEnd, Grant } from './lock-type.js';
import { peerFields } from './peer-info.js';
import type { PolicyDesk } from './policy-desk.js';
import { TicketDesk, type TicketDeskParts } from './ticket-desk.js';

export interface EffectDeskParts<P> extends TicketDeskParts<P> {
  readonly policy: Pick<PolicyDesk<P>, 'current' | 'refresh'>;
  /** Returns a function that takes the timer back. */
  readonly after: (ms: number, call: () => void) => () => void;
  /** A fresh id for an effect's records. */
  readonly makeId: () => string;
  /** Marks the session as used while an effect runs. */
  readonly use: () => () => void;
  readonly onClearResult: (screen: Screen) => void;
}

/** What a client is told while its ticket waits (docs/decisions.md, "Shapes"). */
export interface PendingResult {
  readonly status: 'pending';
  readonly ticket: string;
  readonly expires_at: string;
  readonly hint: string;
}

const PENDING_HINT =
  'a human decides: end your turn now, and send the same request again with this ticket once told that it is decided';

/** A ticket that rules may decide is waited for so long before the client is told `pending`. */
const RULE_MS = 2000;

export interface EffectRequest {
  readonly method: string;
  readonly intent: string | undefined;
  /** The action waits for the human in the same call (lockfile); otherwise it answers `pending` at once. */
  readonly waits: boolean;
}

export class EffectDesk<P> {
  readonly #parts: EffectDeskParts<P>;
  readonly #ledger: TicketLedger;
  readonly #tickets: TicketDesk<P>;

  constructor(parts: EffectDeskParts<P>) {
    this.#parts = parts;
    this.#ledger = parts.ledger;
    this.#tickets = new TicketDesk(parts);
  }

  async handle(effect: Effect, call: Call<P>, request: EffectRequest): Promise<Outcome<unknown>> {
    this.#tickets.sweep();
    if (effect.needs.some(({ rule }) => rule === 'deny')) return refused('E_AUTO_DENIED');
    const asked = this.#tickets.askedOf(effect.needs);
    const subjectHash = hashRequest(effect.name ?? request.method, effect.subject);
    if (subjectHash === null) return refused('E_BAD_REQUEST');
    const { fingerprint } = call.policy;
    const kinds = asked.map(({ kind }) => kind);
    const claim: Claim = { peerUid: call.peer.uid, subjectHash, fingerprint, kinds };
    if (call.ticket !== undefined) return this.#withTicket(call.ticket, effect, call, claim);
    if (asked.length === 0) return this.#start(effect, call, claim, undefined);
    if (this.#tickets.wasDenied(claim)) return refused('E_DENIED');
    const intent = effect.intent ?? request.intent;
    const entry = await this.#tickets.open({ effect, asked, call, claim, intent, waits: request.waits });
    if (entry === 'busy') return refused('E_BUSY');
    if (entry === 'unreachable') return refused('E_NO_HUB');
    if (request.waits) return this.#await(entry, effect, call, claim);
    return entry.ticket.never_auto
      ? accepted(pendingResult(entry))
      : this.#awaitRule(entry, effect, call, claim);
  }

  /** What was typed and not used is wiped. */
  close(): void {
    this.#tickets.close();
  }

  async #withTicket(id: string, effect: Effect, call: Call<P>, claim: Claim): Promise<Outcome<unknown>> {
    const checked = this.#ledger.check(id, claim);
    if (!checked.ok) return checked;
    if (checked.value.state === 'pending') return accepted(pendingResult(checked.value));
    return this.#start(effect, call, claim, checked.value);
  }

  async #await(entry: Entry, effect: Effect, call: Call<P>, claim: Claim): Promise<Outcome<unknown>> {
    await this.#tickets.decided(entry.ticket.id);
    const state = this.#ledger.find(entry.ticket.id)?.state;
    if (state === 'pending' || state === 'withdrawn' || state === 'expired') return refused('E_NO_ANSWER');
    const checked = this.#ledger.check(entry.ticket.id, claim);
    if (!checked.ok) return checked;
    return this.#start(effect, call, claim, checked.value);
  }

  /** Rules decide in an instant, if anybody applies them: a short wait saves the agent a turn. */
  async #awaitRule(entry: Entry, effect: Effect, call: Call<P>, claim: Claim): Promise<Outcome<unknown>> {
    const { id } = entry.ticket;
    let cancel = (): void => undefined;
    const late = new Promise<void>((resolve) => (cancel = this.#parts.after(RULE_MS, resolve)));
    await Promise.race([this.#tickets.decided(id), late]).finally(cancel);
    return this.#withTicket(id, effect, call, claim);
  }

  async #start(
    effect: Effect,
    call: Call<P>,
    claim: Claim,
    entry: Entry | undefined,
  ): Promise<Outcome<unknown>> {
    const { policy, audit } = this.#parts;
    // The human, or a handler, may have taken minutes: what the files say now is what counts.
    await policy.refresh();
    const used = entry ? this.#ledger.use(entry.ticket.id, claim) : undefined;
    if (used && !used.ok) return used;
    const values = entry ? this.#tickets.used(entry.ticket) : undefined;
    const grant = grantOf(effect, entry, values);
    const done = this.#parts.use();
    try {
      const ticket = entry ? { ticket: entry.ticket.id } : {};
      // `opens` and `closes` join start and end: what a crash leaves open is recorded as an end that nobody knows.
      const id = this.#parts.makeId();
      const peer = peerFields(call.peer);
      await audit('effect.start', { opens: id, ...peer, ...ticket, rule: grant.rule, ...effect.record });
      // In the tick in which the effect starts: the policy that was checked is still the one in force.
      const now = policy.current();
      const stale = !now.ok || now.value.fingerprint !== claim.fingerprint;
      if (stale || call.signal.aborted) {
        await audit('effect.not_run', { closes: id, ...ticket, why: stale ? 'stale' : 'client_left' });
        return refused(stale ? 'E_STALE' : 'E_CONNECTION');
      }
      return accepted(await this.#run(effect, grant, call.signal, { closes: id, ...ticket }));
    } finally {
      for (const value of values?.values() ?? []) value.fill(0);
      done();
    }
  }

  async #run(effect: Effect, grant: Grant, signal: AbortSignal, ticket: object): Promise<unknown> {
    const { audit } = this.#parts;
    let end: EffectEnd;
    try {
      end = await effect.run(grant, signal);
    } catch (error) {
      await audit('effect.failed', { ...ticket, cause: error instanceof Error ? error.message : 'unknown' });
      throw error;
    }
    await audit('effect.end', { ...ticket, ...end.record });
    if (end.clearResult) this.#parts.onClearResult(end.clearResult);
    return end.result;
  }
}

/** null: text without a UTF-8 form, which nothing could be bound to. */
function hashRequest(method: string, subject: unknown): string | null {
  try {
    return hashSubject({ method, subject });
  } catch {
    return null;
  }
}

function pendingResult({ ticket }: Entry): PendingResult {
  return { status: 'pending', ticket: ticket.id, expires_at: ticket.expires_at, hint: PENDING_HINT };
}

function grantOf(effect: Effect, entry: Entry | undefined, values: OpenedValues | undefined): Grant {
  const kinds: readonly TicketKind[] = effect.needs.map(({ kind }) => kind);
  const typed = values === undefined ? {} : { values };
  if (entry) return { kinds, ticket: entry.ticket.id, rule: entry.rule ?? 'human', ...typed };
  const auto = effect.needs.find(({ rule, kind }) => rule === 'auto' && kind !== 'run');
  return { kinds, rule: auto ? `auto.${auto.kind}` : 'allowed' };
}
