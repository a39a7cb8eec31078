// The one path of an effect: auto rules, ticket, human, audit of the start, re-check, effect, audit of the end.
// Called by the console's dispatcher with a request whose shape and check are done. The order is contract:
// nothing is touched before the start is on disk, and no answer leaves before the end is.
import type { Human } from '../approval/human.js';
import type { Answer as HumanAnswer } from '../approval/question.js';
import type { Question } from '../approval/question.js';
import type { Screen } from '../approval/screen.js';
import { accepted, refused, type Outcome } from '../contract/outcome.js';
import { WIRE_LIMITS } from '../rpc/limits.js';
import type { Entry, TicketLedger, Claim } from '../tickets/ledger.js';
import { hashSubject, TICKET_LIMITS, type TicketKind } from '../tickets/ticket.js';
import type { Call, Effect, EffectEnd, Grant, Need } from './lock-type.js';
import { originLines, type PeerInfo } from './peer-info.js';
import type { PolicyDesk } from './policy-desk.js';

export interface EffectDeskParts<P> {
  readonly lock: string;
  readonly profile: string;
  readonly instance: string;
  readonly production: (policy: P) => boolean;
  readonly demo: boolean;
  readonly human: Human;
  readonly ledger: TicketLedger;
  readonly policy: Pick<PolicyDesk<P>, 'current' | 'refresh'>;
  readonly audit: (event: string, fields: Readonly<Record<string, unknown>>) => Promise<void>;
  readonly auditHead: () => string;
  readonly nowMs: () => number;
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

export interface EffectRequest {
  readonly method: string;
  readonly intent: string | undefined;
  /** The action waits for the human in the same call (lockfile); otherwise it answers `pending` at once. */
  readonly waits: boolean;
}

export class EffectDesk<P> {
  readonly #parts: EffectDeskParts<P>;
  readonly #denied = new Map<string, number>();

  constructor(parts: EffectDeskParts<P>) {
    this.#parts = parts;
  }

  async handle(effect: Effect, call: Call<P>, request: EffectRequest): Promise<Outcome<unknown>> {
    if (effect.needs.some(({ rule }) => rule === 'deny')) return refused('E_AUTO_DENIED');
    const asked = effect.needs.filter(({ rule }) => rule === 'ask');
    const claim: Claim = {
      peerUid: call.peer.uid,
      subjectHash: hashSubject({ method: request.method, subject: effect.subject }),
      fingerprint: call.policy.fingerprint,
    };
    if (call.ticket !== undefined) return this.#withTicket(call.ticket, effect, call, claim);
    if (asked.length === 0) return this.#start(effect, call, claim, undefined);
    if (this.#wasDenied(claim)) return refused('E_DENIED');
    const entry =
      this.#parts.ledger.findOpen(claim) ?? (await this.#ask(effect, asked, call, claim, request));
    if (entry === 'busy') return refused('E_BUSY');
    return request.waits ? this.#await(entry, effect, call, claim) : accepted(pendingResult(entry));
  }

  async #withTicket(id: string, effect: Effect, call: Call<P>, claim: Claim): Promise<Outcome<unknown>> {
    const checked = this.#parts.ledger.check(id, claim);
    if (!checked.ok) return checked;
    if (checked.value.state === 'pending') return accepted(pendingResult(checked.value));
    return this.#start(effect, call, claim, checked.value);
  }

  async #await(entry: Entry, effect: Effect, call: Call<P>, claim: Claim): Promise<Outcome<unknown>> {
    await this.#decisions.get(entry.ticket.id);
    const state = this.#parts.ledger.find(entry.ticket.id)?.state;
    if (state === 'pending' || state === 'withdrawn' || state === 'expired') return refused('E_NO_ANSWER');
    const checked = this.#parts.ledger.check(entry.ticket.id, claim);
    if (!checked.ok) return checked;
    return this.#start(effect, call, claim, checked.value);
  }

  /** Opens a ticket and puts it before the human; the promise of the decision is kept for those who wait. */
  async #ask(
    effect: Effect,
    asked: readonly Need[],
    call: Call<P>,
    claim: Claim,
    request: EffectRequest,
  ): Promise<Entry | 'busy'> {
    const { ledger, audit, lock, profile, instance } = this.#parts;
    if (ledger.waiting(call.peer.uid).length >= WIRE_LIMITS.waitingPerPeer) return 'busy';
    const shown = this.#completeScreen(effect.screen(asked), call, effect.intent ?? request.intent);
    const ticket = ledger.open({
      lock,
      instance,
      profile,
      kind: lastKind(asked),
      risk: effect.risk,
      never_auto: asked.some(({ neverAuto }) => neverAuto === true),
      screen: shown,
      subject_hash: claim.subjectHash,
      policy_fingerprint: claim.fingerprint,
      peer_uid: call.peer.uid,
      audit_head: this.#parts.auditHead(),
    });
    const fields = { ticket: ticket.id, kinds: asked.map(({ kind }) => kind), risk: ticket.risk };
    await audit('ticket.open', { ...peerFields(call.peer), ...fields, ...effect.record });
    const decided = this.#decide(ticket.id, shown, claim, request.waits ? call.signal : undefined);
    this.#decisions.set(ticket.id, decided);
    void decided.finally(() => this.#decisions.delete(ticket.id));
    return ledger.find(ticket.id) as Entry;
  }

  readonly #decisions = new Map<string, Promise<void>>();

  async #decide(id: string, screen: Screen, claim: Claim, leaving: AbortSignal | undefined): Promise<void> {
    const { human, ledger, audit } = this.#parts;
    const timeoutMs = leaving ? WIRE_LIMITS.answerMs : TICKET_LIMITS.decideMs;
    const { kind, risk } = (ledger.find(id) as Entry).ticket;
    const about = { ticket: id, kind, risk };
    const answer = await human.ask(screen, { timeoutMs, about, ...(leaving ? { signal: leaving } : {}) });
    const verdict = verdictOf(answer, leaving !== undefined);
    if (verdict === 'none') return;
    const reason = answer.kind === 'no' && answer.reason !== undefined ? { reason: answer.reason } : {};
    // The decision is on disk before anything can run by it.
    await audit(`ticket.${verdict}`, { ticket: id, rule: 'human', ...reason });
    if (verdict === 'withdrawn') ledger.withdraw(id);
    else if (ledger.decide(id, verdict, 'human') && verdict === 'denied')
      this.#denied.set(deniedKey(claim), this.#parts.nowMs());
  }

  async #start(
    effect: Effect,
    call: Call<P>,
    claim: Claim,
    entry: Entry | undefined,
  ): Promise<Outcome<unknown>> {
    const { ledger, policy, audit } = this.#parts;
    // The human may have taken minutes: what the files say now is what counts.
    await policy.refresh();
    const used = entry ? ledger.use(entry.ticket.id, claim) : undefined;
    if (used && !used.ok) return used;
    const grant = grantOf(effect, entry);
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

  #completeScreen(screen: Screen, call: Call<P>, intent: string | undefined): Screen {
    return {
      ...screen,
      demo: this.#parts.demo,
      origin: originLines(call.peer, intent),
      question: this.#question(call),
    };
  }

  #question(call: Call<P>): Question {
    const { production, profile } = this.#parts;
    if (!production(call.policy.value)) return { kind: 'yes_no' };
    return {
      kind: 'typed',
      prompt: ['PRODUCTION: type the profile’s name to approve, n REASON to deny'],
      expected: profile,
    };
  }

  #wasDenied(claim: Claim): boolean {
    const sinceMs = this.#denied.get(deniedKey(claim));
    if (sinceMs === undefined) return false;
    if (this.#parts.nowMs() - sinceMs < WIRE_LIMITS.deniedMs) return true;
    this.#denied.delete(deniedKey(claim));
    return false;
  }
}

function pendingResult({ ticket }: Entry): PendingResult {
  return { status: 'pending', ticket: ticket.id, expires_at: ticket.expires_at, hint: PENDING_HINT };
}

function grantOf(effect: Effect, entry: Entry | undefined): Grant {
  const kinds: readonly TicketKind[] = effect.needs.map(({ kind }) => kind);
  if (entry) return { kinds, ticket: entry.ticket.id, rule: entry.rule ?? 'human' };
  const auto = effect.needs.find(({ rule, kind }) => rule === 'auto' && kind !== 'run');
  return { kinds, rule: auto ? `auto.${auto.kind}` : 'allowed' };
}

/** The gravest need names the ticket: a connection is asked for together with what it was needed for. */
function lastKind(needs: readonly Need[]): TicketKind {
  return (needs.at(-1) as Need).kind;
}

function verdictOf(answer: HumanAnswer, waits: boolean): 'approved' | 'denied' | 'withdrawn' | 'none' {
  if (answer.kind === 'yes') return 'approved';
  if (answer.kind === 'no') return 'denied';
  // Nobody answered: the ticket expires by its own time, it is never denied for that.
  return waits || answer.kind === 'withdrawn' ? 'withdrawn' : 'none';
}

function deniedKey({ peerUid, subjectHash, fingerprint }: Claim): string {
  return `${peerUid} ${subjectHash} ${fingerprint}`;
}

export function peerFields(peer: PeerInfo): Readonly<Record<string, unknown>> {
  return { peer_uid: peer.uid, peer_pid: peer.pid, peer_exe: peer.exe };
}
