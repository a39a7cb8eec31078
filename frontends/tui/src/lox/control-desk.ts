// What the running lox answers on its private socket: tickets, history, a decision that a human typed in another terminal
// of the same account. Called by control-server.ts. The level of a decision is never above that of lox's own window.
import type { DeciderHub, HubEntry, VerifiedEntry } from 'lockkit/hub';
import { hashTicket, type DesktopLevel } from 'lockkit/tickets';
import type { ControlReply, ControlRequest, ControlTicket } from './control-messages.js';

export interface ControlDeskParts {
  readonly human: () => Pick<DeciderHub, 'open' | 'decide' | 'history'>;
  readonly desktopLevel: DesktopLevel;
}

export async function answerControl(request: ControlRequest, parts: ControlDeskParts): Promise<ControlReply> {
  const hub = parts.human();
  if (request.kind === 'tickets')
    return { kind: 'tickets', tickets: hub.open().map(describe), unverified: 0 };
  if (request.kind === 'history') {
    const { entries, unverified } = await hub.history({ limit: request.limit });
    return { kind: 'tickets', tickets: entries.map(describe), unverified };
  }
  return decide(request, hub, parts.desktopLevel);
}

async function decide(
  request: ControlRequest & { kind: 'decide' },
  hub: Pick<DeciderHub, 'open' | 'decide'>,
  ownLevel: DesktopLevel,
): Promise<ControlReply> {
  const entry = hub.open().find(({ ticket }) => ticket.id === request.id);
  if (entry?.state !== 'pending') return { kind: 'refused', code: 'E_NOT_PENDING' };
  if (hashTicket(entry.ticket) !== request.hash) return { kind: 'refused', code: 'E_OTHER_TICKET' };
  // Values are typed in the window: they never cross this socket.
  const { inputs = [] } = entry.ticket;
  if (request.verdict === 'approved' && inputs.length > 0) return { kind: 'refused', code: 'E_NEEDS_WINDOW' };
  const desktopLevel = Math.min(request.level, ownLevel) as DesktopLevel;
  const { verdict, reason } = request;
  const why = reason === undefined ? {} : { reason };
  const answer = await hub.decide(entry, { verdict, rule: 'human', desktopLevel, ...why });
  return answer.ok ? { kind: 'decided', state: answer.value.state } : { kind: 'refused', code: answer.code };
}

function describe(entry: VerifiedEntry): ControlTicket {
  return describeEntry(entry, hashTicket(entry.ticket));
}

/** The entry's signature was verified. */
export function describeEntry(entry: HubEntry, hash: string): ControlTicket {
  const { ticket, state, since, decision, why } = entry;
  const { id, lock, instance, profile, kind, risk, created_at, expires_at, screen } = ticket;
  const { rule, reason } = decision?.decision ?? {};
  return {
    ...{ id, lock, instance, profile, kind, risk, state, since, created_at, expires_at, screen },
    hash,
    has_inputs: (ticket.inputs ?? []).length > 0,
    ...(rule === undefined ? {} : { rule }),
    ...(reason === undefined ? {} : { reason }),
    ...(why === undefined ? {} : { why }),
  };
}
