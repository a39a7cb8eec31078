// What a hub does for each request of a proved sender (docs/hub-protocol.md, section 8). Called by hub-server.ts.
// The checks of tickets and decisions are those of the lock as far as a hub can make them; the record decides the rest.
import { z } from 'zod';
import { checkSaying } from '../check-decision.js';
import { parseSignedDecision } from '../decision.js';
import { consoleSchema, whySchema, type HubEntry } from '../hub-entry.js';
import { parseSignedTicket, verifyTicket } from '../signed-ticket.js';
import type { MoveCode, TicketStore } from '../store/ticket-store.js';
import { TICKET_LIMITS, type Ticket } from '../ticket.js';
import type { Outcome } from '../../contract/outcome.js';
import type { HubAccess, LockAccess, Principal } from './access.js';
import { HubRefusal } from './hub-codes.js';
import { HUB_LIMITS } from './hub-limits.js';

export interface RouteParts {
  readonly store: TicketStore;
  readonly access: HubAccess;
  readonly nowMs: () => number;
}

export interface RouteCall {
  readonly principal: Principal;
  readonly query: URLSearchParams;
  /** The ticket that the path names, where it names one. */
  readonly id: string;
  readonly readBody: (maxBytes: number) => Promise<unknown>;
}

export interface RouteAnswer {
  readonly status: 200 | 201;
  readonly body: object;
}

const announceSchema = consoleSchema.omit({ since: true });
const closeSchema = z.strictObject({
  state: z.enum(['withdrawn', 'expired', 'used']),
  why: whySchema.optional(),
});

function lockOf({ principal }: RouteCall): LockAccess {
  if (principal.kind !== 'lock') throw new HubRefusal('E_FORBIDDEN');
  return principal.access;
}

function requireDecider({ principal }: RouteCall): void {
  if (principal.kind !== 'decider') throw new HubRefusal('E_FORBIDDEN');
}

export async function announceConsole(parts: RouteParts, call: RouteCall): Promise<RouteAnswer> {
  const access = lockOf(call);
  const parsed = announceSchema.safeParse(await call.readBody(HUB_LIMITS.otherBytes));
  if (!parsed.success) throw new HubRefusal('E_BAD_REQUEST');
  if (!isOf(parsed.data, access)) throw new HubRefusal('E_FORBIDDEN');
  const since = new Date(parts.nowMs()).toISOString();
  return ok({ seq: await parts.store.announce(access.owner, { ...parsed.data, since }) });
}

export async function postTicket(parts: RouteParts, call: RouteCall): Promise<RouteAnswer> {
  const access = lockOf(call);
  const signed = parseSignedTicket(await call.readBody(HUB_LIMITS.ticketBytes));
  if (!signed.ok) throw new HubRefusal('E_BAD_REQUEST');
  const { ticket } = signed.value;
  if (!isOf(ticket, access)) throw new HubRefusal('E_FORBIDDEN');
  const known = await parts.store.consoleOf(access.owner);
  if (known === undefined) throw new HubRefusal('E_NO_CONSOLE');
  if (!verifyTicket(signed.value, known.key)) throw new HubRefusal('E_BAD_SIGNATURE');
  if (!isTimely(ticket, parts.nowMs()) && (await parts.store.find(ticket.id)) === undefined)
    throw new HubRefusal('E_EXPIRED');
  const posted = await parts.store.post({
    ...signed.value,
    owner: access.owner,
    key: known.key,
    now: new Date(parts.nowMs()),
    maxWaiting: HUB_LIMITS.waitingPerLock,
  });
  if (!posted.ok) throw new HubRefusal(posted.code);
  return { status: posted.value.isNew ? 201 : 200, body: posted.value.entry };
}

export async function closeTicket(parts: RouteParts, call: RouteCall): Promise<RouteAnswer> {
  const { owner } = lockOf(call);
  const parsed = closeSchema.safeParse(await call.readBody(HUB_LIMITS.otherBytes));
  if (!parsed.success) throw new HubRefusal('E_BAD_REQUEST');
  const { state, why } = parsed.data;
  const now = new Date(parts.nowMs());
  return moved(
    await parts.store.close({ owner, id: call.id, state, now, ...(why === undefined ? {} : { why }) }),
  );
}

export async function getTicket(parts: RouteParts, call: RouteCall): Promise<RouteAnswer> {
  const found = await parts.store.find(call.id);
  const isTheirs = call.principal.kind === 'decider' || call.principal.access.owner === found?.owner;
  if (found === undefined || !isTheirs) throw new HubRefusal('E_UNKNOWN_TICKET');
  return ok(found.entry);
}

export async function decideTicket(parts: RouteParts, call: RouteCall): Promise<RouteAnswer> {
  requireDecider(call);
  const signed = parseSignedDecision(await call.readBody(HUB_LIMITS.decisionBytes));
  if (!signed.ok) throw new HubRefusal('E_BAD_DECISION');
  const { key } = signed.value.decision;
  const role = parts.access.findDecider(key);
  const found = await parts.store.find(call.id);
  if (found === undefined) throw new HubRefusal('E_UNKNOWN_TICKET');
  const said = checkSaying(signed.value, found.entry.ticket, role === undefined ? [] : [{ key, role }]);
  if (!said.ok) throw new HubRefusal(said.code);
  return moved(await parts.store.decide(call.id, signed.value, new Date(parts.nowMs())));
}

export async function listConsoles({ store }: RouteParts, call: RouteCall): Promise<RouteAnswer> {
  requireDecider(call);
  return ok({ consoles: await store.consoles() });
}

export async function listTickets({ store }: RouteParts, call: RouteCall): Promise<RouteAnswer> {
  requireDecider(call);
  const { state, from, limit } = parsePageQuery(call.query);
  const seq = await store.head();
  const entries: HubEntry[] = [];
  let [bytes, cursor, isMore] = [0, from, true];
  while (isMore && entries.length < limit && bytes < HUB_LIMITS.pageBytes) {
    const count = Math.min(32, limit - entries.length);
    const read = await store.page({ state, from: cursor, count });
    isMore = read.length === count;
    for (const entry of read) {
      // What no longer fits is where the next page begins.
      if (bytes >= HUB_LIMITS.pageBytes) isMore = true;
      if (bytes >= HUB_LIMITS.pageBytes) break;
      entries.push(entry);
      bytes += Buffer.byteLength(JSON.stringify(entry));
      cursor = 'after' in cursor ? { after: entry.seq } : { before: entry.seq };
    }
  }
  const next = 'after' in cursor ? cursor.after : cursor.before;
  return ok({ seq, entries, ...(isMore ? { next } : {}) });
}

/** `after=SEQ`, and nothing else. */
export function parseAfter(query: URLSearchParams): number {
  const named = queryOf(query, ['after']);
  return numberOf(named.get('after') ?? '0');
}

function parsePageQuery(query: URLSearchParams): {
  readonly state: 'open' | 'closed' | 'all';
  readonly from: { readonly after: number } | { readonly before: number };
  readonly limit: number;
} {
  const named = queryOf(query, ['state', 'after', 'before', 'limit']);
  const state = named.get('state') ?? 'all';
  if (state !== 'open' && state !== 'closed' && state !== 'all') throw new HubRefusal('E_BAD_REQUEST');
  const limit = numberOf(named.get('limit') ?? String(HUB_LIMITS.defaultPageEntries));
  if (limit < 1 || limit > HUB_LIMITS.pageEntries) throw new HubRefusal('E_BAD_REQUEST');
  const [after, before] = [named.get('after'), named.get('before')];
  if (after !== undefined && before !== undefined) throw new HubRefusal('E_BAD_REQUEST');
  return {
    state,
    limit,
    from: before === undefined ? { after: numberOf(after ?? '0') } : { before: numberOf(before) },
  };
}

function queryOf(query: URLSearchParams, names: readonly string[]): ReadonlyMap<string, string> {
  const named = new Map<string, string>();
  for (const [name, value] of query) {
    if (!names.includes(name) || named.has(name)) throw new HubRefusal('E_BAD_REQUEST');
    named.set(name, value);
  }
  return named;
}

function numberOf(text: string): number {
  if (!/^(0|[1-9][0-9]{0,14})$/.test(text)) throw new HubRefusal('E_BAD_REQUEST');
  return Number(text);
}

function isOf(what: Pick<Ticket, 'lock' | 'instance' | 'profile'>, access: LockAccess): boolean {
  const { lock, instance, profile } = access;
  return what.lock === lock && what.instance === instance && what.profile === profile;
}

function isTimely({ created_at: created, expires_at: expires }: Ticket, nowMs: number): boolean {
  return Date.parse(expires) > nowMs && Date.parse(created) <= nowMs + TICKET_LIMITS.clockSkewMs;
}

function ok(body: object): RouteAnswer {
  return { status: 200, body };
}

function moved(outcome: Outcome<HubEntry, MoveCode>): RouteAnswer {
  if (!outcome.ok) throw new HubRefusal(outcome.code);
  return ok(outcome.value);
}
