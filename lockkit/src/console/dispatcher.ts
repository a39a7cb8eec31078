// From a method and its parameters to an outcome, in the order that is contract: shape, policy, check, then the
// effect desk (ticket, effect, audit). Called by connection.ts for every request of an admitted client.
import type { Shapes, LockContract } from '../contract/lock.js';
import { Fault } from '../contract/fault.js';
import { accepted, refused, type Outcome } from '../contract/outcome.js';
import type { Dispatcher } from './connection.js';
import type { ConsoleAudit } from './console-audit.js';
import type { EffectDesk } from './effect-desk.js';
import type { Call, Handler, LockSession } from './lock-type.js';
import type { PeerInfo } from './peer-info.js';
import type { PolicyDesk } from './policy-desk.js';

export interface DispatcherParts<P> {
  readonly contract: LockContract;
  readonly profile: string;
  readonly shapes: Readonly<Record<string, Shapes>>;
  readonly session: LockSession<P>;
  readonly desk: EffectDesk<P>;
  readonly policy: PolicyDesk<P>;
  /** The shared part of `status`. */
  readonly statusOf: () => Readonly<Record<string, unknown>>;
  readonly audit: Pick<ConsoleAudit, 'refusal' | 'append'>;
  /** false: this policy must not be served here (production), and the session is ending. */
  readonly mayServe: (policy: P) => boolean;
  /** A bug: the session closes. */
  readonly onBug: () => void;
}

/** Parameters that every action may carry, beside its own. */
interface SharedInput {
  readonly ticket?: string;
  readonly intent?: string;
}

export function makeDispatcher<P>(parts: DispatcherParts<P>): Omit<Dispatcher, 'admit'> {
  const { contract, profile, audit } = parts;
  return {
    contract,
    profile,
    dispatch: (method, params, peer, signal) => dispatch(parts, method, params, peer, signal),
    onRefusal: (code, _method, peer) => audit.refusal(code, peer.uid),
    onError: (error) => {
      const kind = error instanceof Fault ? 'fault' : 'bug';
      const cause = error instanceof Error ? `${error.name}: ${error.message}` : 'unknown';
      void audit.append(kind, { cause }).catch(() => undefined);
      if (kind === 'bug') parts.onBug();
    },
  };
}

async function dispatch<P>(
  parts: DispatcherParts<P>,
  method: string,
  params: unknown,
  peer: PeerInfo,
  signal: AbortSignal,
): Promise<Outcome<unknown>> {
  const action = parts.contract.actions.find(({ name }) => name === method);
  const shape = action && Object.hasOwn(parts.shapes, method) ? parts.shapes[method] : undefined;
  if (!action || !shape) return refused('E_BAD_REQUEST');
  const input = shape.input.safeParse(params);
  if (!input.success) return refused('E_BAD_REQUEST');
  const policy = await parts.policy.refresh();
  if (method === 'status') return accepted(statusResult(parts));
  if (!policy.ok) return policy;
  if (!parts.mayServe(policy.value.value)) return refused('E_POLICY');
  const handler = parts.session.handlers[method] as Handler<P> | undefined;
  if (!handler) throw new Error('an action has no handler');
  const { ticket, intent } = input.data as SharedInput;
  const call: Call<P> = { peer, policy: policy.value, signal, ...(ticket === undefined ? {} : { ticket }) };
  const step = await handler(input.data as never, call);
  if (!step.ok) return step;
  if (step.value.kind === 'effect' && action.readOnly) throw new Error('a read-only action has an effect');
  if (step.value.kind === 'effect')
    return parts.desk.handle(step.value, call, { method, intent, waits: action.waits });
  if (step.value.record) await parts.audit.append(method, { peer_uid: peer.uid, ...step.value.record });
  return accepted(step.value.result);
}

function statusResult<P>(parts: DispatcherParts<P>): Readonly<Record<string, unknown>> {
  return {
    profile: parts.profile,
    console: 'running',
    ...parts.statusOf(),
    ...parts.session.status(parts.policy.latest()),
  };
}
