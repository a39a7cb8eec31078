// What a lock author fills in for the console's side: handlers of its actions, and the session that holds the
// secret and the connection. The console calls it in one order: shape, policy, ticket, effect, audit, answer.
// A handler's check may read its own memory only; the one place that touches the world is Effect.run.
import type { Human } from '../approval/human.js';
import type { Line, Screen } from '../approval/screen.js';
import type { LockContract } from '../contract/lock.js';
import type { Outcome } from '../contract/outcome.js';
import type { PeerInfo } from './peer-info.js';
import type { OpenedValues } from '../tickets/seal.js';
import type { Risk, TicketInput, TicketKind } from '../tickets/ticket.js';
import type { LockPolicy, PolicyInForce } from './policy-desk.js';

/** `ask`: a human decides; `auto`: by rule; `deny`: refused whatever anybody decides. */
export type AutoRule = 'ask' | 'auto' | 'deny';

/** One thing that must be granted before an effect: a connection, a run outside the rules, clear output. */
export interface Need {
  readonly kind: TicketKind;
  readonly rule: AutoRule;
  /** Only a human may grant it, whatever the rules say. */
  readonly neverAuto?: boolean;
}

/** Who asks, and what surrounds one request. */
export interface Call<P> {
  readonly peer: PeerInfo;
  readonly policy: PolicyInForce<P>;
  /** The ticket that the client brought. */
  readonly ticket?: string;
  /** Aborted when the client left or the console closes. */
  readonly signal: AbortSignal;
}

/** What an effect was granted by: nothing was needed, a rule, or a human. */
export interface Grant {
  readonly kinds: readonly TicketKind[];
  readonly ticket?: string;
  readonly rule: 'allowed' | 'human' | string;
  /**
   * What was typed where the decision was made, by the input's name; wiped when the run ends. Absent: nothing came with
   * the decision, and what is needed is asked at this console.
   */
  readonly values?: OpenedValues;
}

export interface EffectEnd {
  readonly result: unknown;
  /** For the audit: counts, statuses; never output, never a value. */
  readonly record: Readonly<Record<string, unknown>>;
  /** Shown on the console only, and only while clear results are on. */
  readonly clearResult?: Screen;
}

/** A checked request that would touch the world. Building it touched nothing. */
export interface Effect {
  readonly kind: 'effect';
  /** What a ticket binds: RFC 8785 JSON of it is hashed. */
  readonly subject: unknown;
  /** Bound with the subject; default: the action's method. For one effect that several actions can ask for. */
  readonly name?: string;
  readonly needs: readonly Need[];
  readonly risk: Risk;
  /** What the human must type with an approval that is made elsewhere; it comes back in `Grant.values`. */
  readonly inputs?: readonly TicketInput[];
  /** The agent's words for a request that was submitted earlier; default: those of this request. */
  readonly intent?: string;
  /** For the audit, masked: what is about to happen. */
  readonly record: Readonly<Record<string, unknown>>;
  /** What the human sees; the console adds who asks, and the question. */
  readonly screen: (asked: readonly Need[]) => Screen;
  readonly run: (grant: Grant, signal: AbortSignal) => Promise<EffectEnd>;
}

/** A request that is answered from memory. */
export interface Answer {
  readonly kind: 'answer';
  readonly result: unknown;
  readonly record?: Readonly<Record<string, unknown>>;
}

export type Step = Effect | Answer;

/** `input` was decoded by the action's schema. Refuses with a code of the lock's table. */
export type Handler<P> = (input: never, call: Call<P>) => Outcome<Step> | Promise<Outcome<Step>>;

export interface SessionStart<P> {
  /** What is in force at the start. */
  readonly policy: PolicyInForce<P>;
  readonly profile: string;
  readonly human: Human;
  readonly audit: (event: string, fields: Readonly<Record<string, unknown>>) => Promise<void>;
  /** The console account's own folder for this lock and profile, 0700. */
  readonly stateDir: string;
  /** The console account's home. */
  readonly home: string;
  readonly uid: number;
  /** `--allow-unmask`, where the desktop level permits it. */
  readonly allowUnmask: boolean;
  /** The project's root, or null. */
  readonly projectRoot: string | null;
  readonly demo: boolean;
  readonly signal: AbortSignal;
  readonly desktopLevel: 1 | 2 | 3;
  /** Adds a mask rule of an agent's to what is in force, at once; the pattern was checked. */
  readonly addAgentRule: (pattern: string, uid: number) => Promise<'added' | 'exists' | 'full'>;
  /** Queues a change that an agent asks for, for the human's next review; null: too many wait already. */
  readonly requestChange: (text: string) => number | null;
  /** Ends the console's session after the answer has left. */
  readonly logout: () => void;
}

/** The open session: the secret, the connection, the handlers. */
export interface LockSession<P> {
  readonly handlers: Readonly<Record<string, Handler<P>>>;
  /** What `status` adds to the shared fields. */
  readonly status: (policy: P) => Readonly<Record<string, unknown>>;
  /** Lines for `:status` on the console. */
  readonly statusLines: () => readonly Line[];
  /** The approved policy grew: what was granted before must be granted again. */
  readonly policyApproved: () => void;
  /** Allows or forbids clear output to the agent; null when the lock knows no such thing. */
  readonly setUnmask: ((allowed: boolean) => void) | null;
  /** Resolves, with the reason, when the session cannot go on. */
  readonly lost: Promise<string>;
  readonly close: () => Promise<void>;
}

export interface SessionLimits {
  readonly idleTimeoutMs: number;
  readonly maxSessionMs: number;
}

export interface LockType<P> {
  readonly contract: LockContract;
  readonly policy: LockPolicy<P>;
  readonly limits: (policy: P) => SessionLimits;
  readonly production: (policy: P) => boolean;
  /** What it runs could tell an agent something through /proc (docs/decisions.md, "What is promised"). */
  readonly needsHiddenProcesses?: boolean;
  /** Its tickets are decided through a hub alone: no console without one, the demo aside. */
  readonly needsHub?: boolean;
  readonly openSession: (start: SessionStart<P>) => Promise<LockSession<P>>;
}
