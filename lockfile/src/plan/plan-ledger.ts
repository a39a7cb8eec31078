// Submitted plans until they run: one use, ten minutes, the account that asked, the policy they were checked under.
// Called by the plan and run actions. It forgets what expired; an unknown id and another's id look the same.
import { accepted, refused, type Outcome } from 'lockkit/contract';
import { randomWord } from './handle-table.js';
import type { PlanRequest } from './check-plan.js';

export const PLAN_LIFE_MS = 10 * 60_000;
/** Plans that one account may have waiting. */
export const MAX_PLANS_PER_PEER = 64;
const PLAN_CHARACTERS = 16;

export interface SubmittedPlan {
  readonly id: string;
  readonly request: PlanRequest;
  readonly intent: string | undefined;
  readonly peerUid: number;
  readonly fingerprint: string;
  readonly expiresAtMs: number;
}

export interface LedgerParts {
  readonly nowMs: () => number;
  readonly randomBytes: (count: number) => Uint8Array;
}

export class PlanLedger {
  readonly #plans = new Map<string, SubmittedPlan>();
  readonly #parts: LedgerParts;

  constructor(parts: LedgerParts) {
    this.#parts = parts;
  }

  submit(
    plan: Pick<SubmittedPlan, 'request' | 'intent' | 'peerUid' | 'fingerprint'>,
  ): Outcome<SubmittedPlan, 'E_BUSY'> {
    this.#forgetExpired();
    const waiting = [...this.#plans.values()].filter(({ peerUid }) => peerUid === plan.peerUid).length;
    if (waiting >= MAX_PLANS_PER_PEER) return refused('E_BUSY');
    const id = `p_${randomWord(PLAN_CHARACTERS, this.#parts.randomBytes)}`;
    const submitted = { ...plan, id, expiresAtMs: this.#parts.nowMs() + PLAN_LIFE_MS };
    this.#plans.set(id, submitted);
    return accepted(submitted);
  }

  /** The plan, if it may run now for this account under this policy. It stays usable until `take`. */
  find(
    id: string,
    peerUid: number,
    fingerprint: string,
  ): Outcome<SubmittedPlan, 'E_UNKNOWN_PLAN' | 'E_STALE'> {
    this.#forgetExpired();
    const plan = this.#plans.get(id);
    if (plan?.peerUid !== peerUid) return refused('E_UNKNOWN_PLAN');
    return plan.fingerprint === fingerprint ? accepted(plan) : refused('E_STALE');
  }

  /** Uses the plan up. */
  take(
    id: string,
    peerUid: number,
    fingerprint: string,
  ): Outcome<SubmittedPlan, 'E_UNKNOWN_PLAN' | 'E_STALE'> {
    const found = this.find(id, peerUid, fingerprint);
    if (found.ok) this.#plans.delete(id);
    return found;
  }

  #forgetExpired(): void {
    const nowMs = this.#parts.nowMs();
    for (const [id, { expiresAtMs }] of this.#plans) if (expiresAtMs <= nowMs) this.#plans.delete(id);
  }
}
