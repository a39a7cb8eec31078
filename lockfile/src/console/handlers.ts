// The handlers of lockfile's actions. A handler's check reads the request, the policy, the installed plugins and the
// session's memory; the source is reached by Effect.run alone, after the human's yes.
import type { Call, Effect, Handler, Need } from 'lockkit/console';
import { accepted, Fault, refused } from 'lockkit/contract';
import type { TicketInput } from 'lockkit/tickets';
import type { FilePolicy } from '../contract/profile.js';
import type { PlanInput } from '../later/shapes.js';
import { checkPlan, type Plan, type PlanRequest } from '../plan/check-plan.js';
import { releasedAnswers } from '../plan/handle-table.js';
import type { PlanLedger } from '../plan/plan-ledger.js';
import { planScreen, resultScreen, type ScreenPlace } from '../plan/plan-screens.js';
import { inputName, pluginLabel } from '../plan/question.js';
import { runPlan, type RunParts } from '../plan/run-plan.js';
import type { TypedValues } from '../plan/typed-values.js';
import type { InstalledPlugin } from '../plugin/installed-plugins.js';
import { listPlugins, listSources } from './listings.js';

export interface HandlerParts {
  readonly profile: string;
  readonly plugins: ReadonlyMap<string, InstalledPlugin>;
  readonly ledger: PlanLedger;
  readonly parts: RunParts;
  /** Aborted when the console ends. */
  readonly ended: AbortSignal;
  /** A run that the session waits for before it closes. */
  readonly track: (run: Promise<unknown>) => void;
}

type FileCall = Call<FilePolicy>;
type FileHandler = Handler<FilePolicy>;

export function makeHandlers(desk: HandlerParts): Readonly<Record<string, FileHandler>> {
  return {
    sources: (_input, { policy }) =>
      accepted({ kind: 'answer', result: listSources(desk.profile, policy.value) }),
    plugins: (_input, { policy }) =>
      accepted({ kind: 'answer', result: listPlugins(desk.plugins, policy.value) }),
    plan: planHandler(desk),
    run: runHandler(desk),
    answers: ({ handle }: { readonly handle: string }, { peer }) => {
      const found = desk.parts.handles.find(handle, peer.uid);
      if (found === undefined) return refused('E_UNKNOWN_HANDLE');
      return accepted({ kind: 'answer', result: { handle, answers: releasedAnswers(found) } });
    },
    release: ({ handle }: { readonly handle: string }, { peer }) => {
      if (desk.parts.handles.find(handle, peer.uid) === undefined) return refused('E_UNKNOWN_HANDLE');
      desk.parts.handles.release(handle);
      return accepted({ kind: 'answer', result: { handle, status: 'released' }, record: { handle } });
    },
  };
}

function planHandler(desk: HandlerParts): FileHandler {
  return ({ run, intent, ...request }: PlanInput, call) => {
    const checked = check(request, desk, call);
    if (!checked.ok) return checked;
    if (run === true) return accepted(planEffect(checked.value, undefined, desk, call));
    const { peer, policy } = call;
    const submitted = desk.ledger.submit({
      request,
      intent,
      peerUid: peer.uid,
      fingerprint: policy.fingerprint,
    });
    if (!submitted.ok) return submitted;
    const { id, expiresAtMs } = submitted.value;
    const { answersRevealed } = checked.value;
    const result = {
      plan: id,
      expires_at: new Date(expiresAtMs).toISOString(),
      answers_revealed: answersRevealed,
    };
    return accepted({ kind: 'answer', result, record: { plan: id, ...planRecord(checked.value) } });
  };
}

function runHandler(desk: HandlerParts): FileHandler {
  return ({ plan: id }: { readonly plan: string }, call) => {
    const found = desk.ledger.find(id, call.peer.uid, call.policy.fingerprint);
    if (!found.ok) return found;
    const checked = check(found.value.request, desk, call);
    if (!checked.ok) return checked;
    const { intent } = found.value;
    const effect = planEffect(checked.value, id, desk, call);
    return accepted(intent === undefined ? effect : { ...effect, intent });
  };
}

function check(request: PlanRequest, { plugins, parts }: HandlerParts, { peer, policy }: FileCall) {
  const { prefix, plugins: allowed, limits } = policy.value;
  return checkPlan(request, {
    prefix,
    allowed,
    maxPluginsPerHandle: limits.max_plugins_per_handle,
    plugins,
    findHandle: (id) => parts.handles.find(id, peer.uid),
  });
}

/** The plan as an effect. A submitted plan's `id` is used up in the tick in which it starts. */
function planEffect(plan: Plan, id: string | undefined, desk: HandlerParts, call: FileCall): Effect {
  const { peer, policy } = call;
  const { limits, production } = policy.value;
  const place: ScreenPlace = { profile: desk.profile, production, warnings: [] };
  return {
    kind: 'effect',
    // Asked by `plan` with `run` or by `run`: one subject, which a human denies once.
    name: 'plan',
    subject: subjectOf(plan),
    needs: [needOf(plan, policy.value)],
    risk: 'read',
    record: { ...(id === undefined ? {} : { plan: id }), ...planRecord(plan) },
    ...inputsOf(plan, desk.parts.values),
    screen: () => planScreen(plan, place),
    run: async ({ values }, signal) => {
      const used = id === undefined ? undefined : desk.ledger.take(id, peer.uid, policy.fingerprint);
      if (used?.ok === false) throw new Fault(used.code, 'the plan was used, or is too old');
      const typed = values && desk.parts.values.take(plan.questions, values);
      if (typed?.ok === false) throw new Fault(typed.code, 'a value typed with the decision does not fit');
      const terms = {
        peerUid: peer.uid,
        maxObjectBytes: limits.max_object_bytes,
        maxPluginsPerHandle: limits.max_plugins_per_handle,
        quantumMs: limits.answer_quantum,
        place,
        signal: AbortSignal.any([signal, desk.ended]),
      };
      const running = runPlan(plan, terms, desk.parts);
      desk.track(running);
      const end = await running;
      return {
        result: end.result,
        record: { handle: end.result.handle, questions: end.questions },
        clearResult: resultScreen(targetOf(plan), end.shown, place),
      };
    },
  };
}

/** What is still to be typed, for a decision that is made elsewhere; each input once. */
function inputsOf({ questions }: Plan, known: TypedValues): Pick<Effect, 'inputs'> {
  const missing = new Map<string, TicketInput>();
  for (const question of questions)
    for (const binding of question.bindings) {
      const { input, placeholder } = binding;
      const name = inputName(question, binding);
      if (!known.has(placeholder))
        missing.set(name, { name, placeholder, kind: input.kind, max_bytes: input.maxBytes });
    }
  return missing.size === 0 ? {} : { inputs: [...missing.values()] };
}

/** "auto never for an unofficial marketplace, typed inputs or production." */
function needOf({ questions }: Plan, policy: FilePolicy): Need {
  const neverAuto =
    policy.production || questions.some(({ plugin, bindings }) => !plugin.official || bindings.length > 0);
  const rule = policy.auto.plan === 'auto' && neverAuto ? 'ask' : policy.auto.plan;
  return { kind: 'plan', rule, neverAuto };
}

const targetOf = ({ target }: Plan): string => (target.kind === 'key' ? target.key : target.handle.key);

/** What a decision binds: the very bytes of the plugins, the file, and which placeholder stands where. */
function subjectOf({ target, questions }: Plan): unknown {
  return {
    ...(target.kind === 'key' ? { key: target.key } : { handle: target.handle.id }),
    questions: questions.map(({ plugin, bindings }) => ({
      plugin: pluginLabel(plugin),
      digest: plugin.digest,
      inputs: bindings.map(({ input, placeholder }) => [input.name, placeholder]),
    })),
  };
}

/** For the audit: names and placeholders, never a value. */
function planRecord({ target, questions, answersRevealed }: Plan): Readonly<Record<string, unknown>> {
  const inputs = questions.flatMap(({ plugin, bindings }) =>
    bindings.map(({ input, placeholder }) => `${plugin.manifest.name}.${input.name}=\${${placeholder}}`),
  );
  return {
    ...(target.kind === 'key' ? { key: target.key } : { handle: target.handle.id }),
    plugins: questions.map(({ plugin }) => pluginLabel(plugin)),
    ...(inputs.length === 0 ? {} : { inputs }),
    answers_revealed: answersRevealed,
  };
}
