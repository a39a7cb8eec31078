// The policy of a running console: read before every request, tightened at once, loosened by the human only
// (docs/decisions.md, "Policy"). The decisions are lockkit/policy's; here is the reading, saving, asking, telling.
// Nothing but a human's answer in `start` or `review` ever calls `approvePolicy`.
import type { Human } from '../approval/human.js';
import { untrusted } from '../approval/untrusted.js';
import { accepted, refused, type Outcome } from '../contract/outcome.js';
import { UserMistake } from '../contract/fault.js';
import { decidePolicy, type PendingChange, type PolicyDecision } from '../policy/decide.js';
import { loadPolicy, type LoadedPolicy, type PolicySources } from '../policy/load.js';
import type { PatternCheck } from '../policy/load-pii.js';
import { openPolicySources, type Place } from '../policy/open-sources.js';
import { renderProblem, type Loaded, type PolicyProblem } from '../policy/problem.js';
import type { ProfileDefinition } from '../policy/profile.js';
import {
  addMask,
  approvePolicy,
  maskRulesOf,
  refusePolicy,
  reopenPolicy,
  type MaskRules,
} from '../policy/review-steps.js';
import type { AddedMask, PolicyState } from '../policy/state.js';
import type { PolicyKey, PolicyStore } from '../policy/store.js';
import { reviewFirst, reviewPending, type ReviewContext } from '../policy/review.js';
import { policyScreen, requestsScreen, type ReviewLook } from './policy-screens.js';

/** The policy that holds for one request, and the fingerprint that tickets are bound to. */
export interface PolicyInForce<P> {
  readonly value: P;
  readonly fingerprint: string;
  readonly maskRules: MaskRules;
}

/** What a lock type says about its policy. */
export interface LockPolicy<P> {
  readonly definition: ProfileDefinition<P>;
  /** Checks a pattern of pii.toml with the engine that will run it. */
  readonly checkPattern: PatternCheck;
}

export interface PolicyDeskParts<P> {
  readonly policy: LockPolicy<P>;
  readonly production: (policy: P) => boolean;
  readonly profile: string;
  readonly place: Place;
  readonly store: PolicyStore<P>;
  readonly human: Human;
  readonly demo: boolean;
  readonly audit: (event: string, fields: Readonly<Record<string, unknown>>) => Promise<void>;
  readonly now: () => Date;
  /** Throws UserMistake for a policy that must not be served here; called before the human is asked anything. */
  readonly checkServed: (policy: P) => void;
}

/** What a review did: the session ends when its target changed. */
export type ReviewEnd = 'approved' | 'ends_session' | 'refused' | 'nothing';

const MAX_WISHES = 32;

export class PolicyDesk<P> {
  readonly #parts: PolicyDeskParts<P>;
  #read: { readonly bytes: string; readonly file: Loaded<LoadedPolicy<P>> } | undefined;
  #decision: PolicyDecision<P> | undefined;
  #state: PolicyState<P> | undefined;
  #told = '';
  #latest: P | undefined;
  readonly #wishes: string[] = [];

  constructor(parts: PolicyDeskParts<P>) {
    this.#parts = parts;
  }

  /** The console's start: the first approval, or what was approved before. Throws UserMistake when there is none. */
  async start(): Promise<LoadedPolicy<P>['source']> {
    const file = this.#load();
    if (!file.ok) throw new UserMistake(file.problems.map(renderProblem).join('\n'));
    this.#parts.checkServed(file.value.policy);
    await this.#decide(file);
    if (this.#decision?.kind === 'first') await this.#approveFirst(this.#decision);
    return file.value.source;
  }

  /** Reads the files again; a tightening is saved and in force when this returns. */
  async refresh(): Promise<Outcome<PolicyInForce<P>, 'E_POLICY'>> {
    const before = this.#read?.bytes;
    const file = this.#load();
    if (this.#read?.bytes !== before || this.#decision === undefined) await this.#decide(file);
    return this.current();
  }

  /** As of the last refresh, without any reading. */
  current(): Outcome<PolicyInForce<P>, 'E_POLICY'> {
    if (this.#decision?.kind !== 'in_force' || this.#state === undefined) return refused('E_POLICY');
    const { policy: value, fingerprint } = this.#decision.inForce;
    return accepted({ value, fingerprint, maskRules: maskRulesOf(this.#state) });
  }

  /** The value in force now, or the last one that was: for limits and what is shown, never for a decision. */
  latest(): P {
    const now = this.current();
    if (now.ok) this.#latest = now.value.value;
    if (this.#latest === undefined) throw new Error('no policy was ever in force');
    return this.#latest;
  }

  isPending(): boolean {
    return this.#pending() !== undefined;
  }

  /** `:review`: shows what waits, asks once. */
  async review(): Promise<ReviewEnd> {
    await this.refresh();
    const pending = this.#pending();
    if (pending === undefined || pending.refused) {
      await this.#parts.human.show(requestsScreen(this.#parts.profile, this.#wishes));
      return 'nothing';
    }
    const review = reviewPending(pending, this.#context());
    const screen = policyScreen(review, this.#look(pending.file.policy));
    const answer = await this.#parts.human.ask(screen);
    if (answer.kind === 'yes') return this.#approve(pending, review.endingMasks);
    if (answer.kind === 'no') await this.#refuse(pending.fingerprint);
    return 'refused';
  }

  /** `:reopen`: a refused change may be asked again. */
  async reopen(): Promise<ReviewEnd> {
    const pending = this.#pending();
    if (pending === undefined) return 'nothing';
    this.#save(reopenPolicy(this.#known(), pending.fingerprint));
    await this.#decide(this.#load());
    return this.review();
  }

  /** A mask rule that an agent adds: in force at once. The pattern was checked. */
  async addAgentRule(pattern: string, uid: number): Promise<'added' | 'exists' | 'full'> {
    const state = this.#known();
    const { reviewed, added } = maskRulesOf(state);
    if (reviewed.includes(pattern) || added.some((mask) => mask.pattern === pattern)) return 'exists';
    const next = addMask(state, { pattern, uid, at: this.#parts.now().toISOString() });
    if (next === null) return 'full';
    await this.#parts.audit('pii.add', { peer_uid: uid, pattern });
    this.#save(next);
    return 'added';
  }

  /** How many wishes wait now; null: too many already. */
  requestChange(text: string): number | null {
    if (this.#wishes.length >= MAX_WISHES) return null;
    this.#wishes.push(text);
    this.#parts.human.note(['the agent asks for a policy change: type :review']);
    return this.#wishes.length;
  }

  #pending(): PendingChange<P> | undefined {
    return this.#decision?.kind === 'in_force' ? this.#decision.pending : undefined;
  }

  #known(): PolicyState<P> {
    if (this.#state === undefined) throw new Error('no policy state');
    return this.#state;
  }

  #load(): Loaded<LoadedPolicy<P>> {
    const { policy, place, profile } = this.#parts;
    const sources = openPolicySources(place);
    const bytes = sources.ok ? bytesOf(sources.value) : JSON.stringify(sources.problems);
    if (this.#read?.bytes === bytes) return this.#read.file;
    const file: Loaded<LoadedPolicy<P>> = sources.ok
      ? loadPolicy(policy.definition, sources.value, profile, { checkPattern: policy.checkPattern })
      : sources;
    this.#read = { bytes, file };
    return file;
  }

  async #decide(file: Loaded<LoadedPolicy<P>>): Promise<void> {
    const { store, policy, profile } = this.#parts;
    if (file.ok) this.#state = store.read(this.#key());
    const userState =
      this.#parts.place.projectRoot === null ? undefined : store.read({ projectRoot: null, profile });
    const state = this.#state ?? { refused: [], addedMasks: [] };
    const decision = decidePolicy(policy.definition, {
      state,
      file,
      ...(userState === undefined ? {} : { userState }),
    });
    if (decision.kind === 'in_force' && decision.next !== undefined) {
      await this.#parts.audit('policy.in_force', { fingerprint: decision.inForce.fingerprint });
      this.#save(decision.next);
    }
    this.#decision = decision;
    await this.#tell(decision);
  }

  /** News for the human and the audit, once for each state of the files. */
  async #tell(decision: PolicyDecision<P>): Promise<void> {
    const state = decision.kind === 'in_force' ? (decision.pending?.fingerprint ?? '') : decision.kind;
    if (state === this.#told) return;
    this.#told = state;
    const { audit, human } = this.#parts;
    if (decision.kind === 'broken') {
      await audit('policy.broken', { problems: decision.problems.map(problemRecord) });
      for (const problem of decision.problems)
        human.note(['the policy cannot be used: ', untrusted(renderProblem(problem))]);
    } else if (decision.kind === 'in_force' && decision.pending && !decision.pending.refused) {
      await audit('policy.waits', {
        fingerprint: decision.pending.fingerprint,
        paths: decision.pending.waiting.map(({ path }) => path),
      });
      human.note(['a policy change waits for you: type :review']);
    }
  }

  async #approveFirst(first: PolicyDecision<P> & { readonly kind: 'first' }): Promise<void> {
    const { human, audit } = this.#parts;
    const review = reviewFirst(first, this.#context());
    const screen = policyScreen(review, this.#look(first.file.policy));
    const answer = await human.ask(screen);
    if (answer.kind !== 'yes') {
      await audit('policy.refused', { fingerprint: first.fingerprint });
      throw new UserMistake('the policy was not approved: the console does not start');
    }
    await audit('policy.approved', { fingerprint: first.fingerprint });
    this.#save(approvePolicy(this.#known(), first.file.policy, review.endingMasks));
    await this.#decide({ ok: true, value: first.file });
  }

  async #approve(pending: PendingChange<P>, endedMasks: readonly AddedMask[]): Promise<ReviewEnd> {
    await this.#parts.audit('policy.approved', { fingerprint: pending.fingerprint });
    this.#save(approvePolicy(this.#known(), pending.file.policy, endedMasks));
    // What was shown is what is approved, whatever the file holds by now: the next refresh compares with it.
    await this.#decide({ ok: true, value: pending.file });
    this.#read = undefined;
    this.#wishes.length = 0;
    return pending.endsSession ? 'ends_session' : 'approved';
  }

  async #refuse(fingerprint: string): Promise<void> {
    await this.#parts.audit('policy.refused', { fingerprint });
    this.#save(refusePolicy(this.#known(), fingerprint));
    await this.#decide(this.#load());
  }

  #save(state: PolicyState<P>): void {
    this.#parts.store.write(this.#key(), state);
    this.#state = state;
  }

  /** What was approved counts for this project alone: its PII rules are part of it. */
  #key(): PolicyKey {
    return { projectRoot: this.#parts.place.projectRoot, profile: this.#parts.profile };
  }

  #context(): ReviewContext<P> {
    return { definition: this.#parts.policy.definition, state: this.#known(), requests: this.#wishes };
  }

  #look(policy: P): ReviewLook {
    const { demo, production } = this.#parts;
    // A change that turns production off is itself a production change.
    const now = this.current();
    return { demo, production: production(policy) || (now.ok && production(now.value.value)) };
  }
}

function problemRecord({ code, line, key }: PolicyProblem): object {
  return { code, ...(line === undefined ? {} : { line }), ...(key === undefined ? {} : { key }) };
}

/** Two readings are the same when every byte is; times of files are not looked at. */
function bytesOf(sources: PolicySources): string {
  const all = [sources.project?.config, sources.project?.pii, sources.user?.config, sources.user?.pii];
  return all.map((file) => (file === undefined ? '-' : Buffer.from(file.bytes).toString('base64'))).join(' ');
}
