// What the console needs of a policy: the value in force for the next request, and the human's review of it.
// Implemented over lockkit/policy by open-policy-desk.ts. Called for every request, before anything else is decided.
import type { Outcome } from '../contract/outcome.js';

/** The policy that holds for one request, and the fingerprint that tickets are bound to. */
export interface PolicyInForce<P> {
  readonly value: P;
  readonly fingerprint: string;
}

export interface PolicyDesk<P> {
  /** Reads the files again; a tightening is in force when this returns. */
  readonly refresh: () => Promise<Outcome<PolicyInForce<P>, 'E_POLICY'>>;
  /** As of the last refresh, without any reading: for the re-check in the tick in which an effect starts. */
  readonly current: () => Outcome<PolicyInForce<P>, 'E_POLICY'>;
  /** A change waits for `:review`. */
  readonly isPending: () => boolean;
}
