// A console whose hub is slow, mad or lying: every decision that does not count has its code in the audit, and no
// ticket is approved by it (docs/hub-protocol.md, section 5).
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { UserMistake } from '../contract/fault.js';
import { makeSigningKey } from '../tickets/signing.js';
import { TICKET_LIMITS, type Ticket } from '../tickets/ticket.js';
import { sampleDecision, sampleTicket } from '../tickets/test/samples.js';
import { openHubDecider, type HubDecider } from './hub-decider.js';
import { openLyingHub, type LyingHub } from './test/lying-hub.js';
import type { TicketVerdict } from './ticket-decider.js';

const [human, auto] = [makeSigningKey(), makeSigningKey()];
const later = (ms: number, call: () => void): (() => void) => {
  const timer = setTimeout(call, ms);
  return () => clearTimeout(timer);
};

let hub: LyingHub;
let desk: HubDecider;
let records: { readonly event: string; readonly code?: string; readonly why?: string }[];

async function openDesk(timeoutMs = 5000): Promise<HubDecider> {
  const { url, address } = hub;
  return openHubDecider({
    lock: 'lockssh',
    instance: '',
    profile: 'web',
    version: '1',
    keyFile: {
      url,
      address,
      token: makeSigningKey().key,
      deciders: [
        { key: human.key, role: 'human' },
        { key: auto.key, role: 'auto' },
      ],
    },
    signing: makeSigningKey(),
    mayServe: () => true,
    nowMs: Date.now,
    later,
    timeoutMs,
    audit: async (event, fields) => void records.push({ event, ...fields }),
    note: () => undefined,
  });
}

beforeEach(async () => {
  records = [];
  hub = await openLyingHub();
  desk = await openDesk();
});
afterEach(async () => {
  desk.shutDown();
  await hub.close();
});

function ticketNow(changes: Partial<Ticket> = {}): Ticket {
  const nowMs = Date.now();
  return sampleTicket({
    created_at: new Date(nowMs).toISOString(),
    expires_at: new Date(nowMs + TICKET_LIMITS.decideMs).toISOString(),
    ...changes,
  });
}

interface Asked {
  readonly ticket: Ticket;
  /** The verdict, once there is one. */
  readonly verdict: () => TicketVerdict | undefined;
  readonly decide: (value: unknown) => void;
}

async function ask(changes: Partial<Ticket> = {}, timeoutMs = 60_000): Promise<Asked> {
  const ticket = ticketNow(changes);
  const asking = await desk.ask(ticket, { timeoutMs, levelNeeded: 1 });
  if (asking === 'unreachable') throw new Error('unreachable');
  let verdict: TicketVerdict | undefined;
  void asking.verdict.then((one) => (verdict = one));
  const decide = (decision: unknown): void => hub.push({ ticket, state: 'approved', decision });
  return { ticket, verdict: () => verdict, decide };
}

const now = (): { readonly now: Date } => ({ now: new Date() });
const codes = (): readonly unknown[] =>
  records.filter(({ event }) => event === 'hub.refused').map(({ code }) => code);

describe('openHubDecider: a lying hub', () => {
  test('forged decisions leave the ticket waiting, and the real one still counts', async () => {
    const { ticket, verdict, decide } = await ask({ never_auto: true });
    const yes = sampleDecision(ticket, human, now());
    decide({ decision: yes.decision, signature: 'A'.repeat(86) });
    decide(sampleDecision(ticketNow(), human, now()));
    decide('yes');
    await expect.poll(codes).toEqual(['E_BAD_SIGNATURE', 'E_OTHER_TICKET', 'E_BAD_DECISION']);
    expect(verdict()).toBeUndefined();
    decide(sampleDecision(ticket, makeSigningKey(), now()));
    decide(sampleDecision(ticket, auto, { ...now(), rule: 'human' }));
    decide(yes);
    await expect.poll(verdict).toMatchObject({ kind: 'approved', rule: 'human', decider: human.key });
    // Three are recorded for a ticket, more say nothing new.
    expect(codes()).toHaveLength(3);
    expect(hub.closings).toEqual([]);
  });

  test.each([
    ['E_NEVER_AUTO', (ticket: Ticket) => sampleDecision(ticket, auto, { ...now(), rule: 'auto.exec' })],
    ['E_OLD_DECISION', (ticket: Ticket) => sampleDecision(ticket, human, { now: new Date(0) })],
    ['E_SEALED', (ticket: Ticket) => sampleDecision(ticket, human, { ...now(), sealed: {} })],
  ])('a decider’s decision that cannot count (%s) withdraws the ticket and says why', async (code, make) => {
    const inputs = [{ name: 'a.b', placeholder: 'x', kind: 'text' as const, max_bytes: 8 }];
    const seal_key = await desk.makeSealKey?.();
    const { ticket, verdict, decide } = await ask({
      never_auto: true,
      ...(code === 'E_SEALED' && seal_key ? { inputs, seal_key } : {}),
    });
    decide(make(ticket));
    await expect.poll(verdict).toEqual({ kind: 'withdrawn', why: code });
    expect(codes()).toEqual([code]);
  });

  test('a decision replayed, a second other one, a late one: E_NOT_PENDING, and the first stays', async () => {
    const { ticket, verdict, decide } = await ask();
    const no = sampleDecision(ticket, human, { ...now(), verdict: 'denied' });
    decide(no);
    await expect.poll(verdict).toMatchObject({ kind: 'denied' });
    decide(no);
    decide(sampleDecision(ticket, human, now()));
    await expect.poll(codes).toEqual(['E_NOT_PENDING']);
    const late = await ask({}, 1);
    await expect.poll(late.verdict).toEqual({ kind: 'no_answer' });
    late.decide(sampleDecision(late.ticket, human, now()));
    await expect.poll(codes).toEqual(['E_NOT_PENDING', 'E_NOT_PENDING']);
  });

  test('an old decision for a ticket of another run is a stray', async () => {
    const old = ticketNow();
    hub.push({ ticket: old, state: 'approved', decision: sampleDecision(old, human, now()) });
    await expect.poll(codes).toEqual(['E_NOT_PENDING']);
  });

  test('a state without a decision approves nothing; withdrawn ends the waiting, expired says nothing', async () => {
    const { ticket, verdict } = await ask();
    for (const state of ['approved', 'used', 'expired']) hub.push({ ticket, state });
    const other = await ask();
    hub.push({ ticket: other.ticket, state: 'withdrawn' });
    await expect.poll(other.verdict).toEqual({ kind: 'withdrawn', why: 'E_HUB_WITHDREW' });
    expect(verdict()).toBeUndefined();
  });

  test('nonsense on the stream cuts it, and the console connects again with what waits', async () => {
    const { ticket, verdict } = await ask();
    for (const text of ['data: {\n\n', 'id: x\nevent: ticket\ndata: {}\n\n', 'x'.repeat(2 * 1024 * 1024)]) {
      const before = records.filter(({ event }) => event === 'hub.back').length;
      hub.pushRaw(text);
      await expect
        .poll(() => records.filter(({ event }) => event === 'hub.back').length, { timeout: 5000 })
        .toBe(before + 1);
    }
    for (const odd of [null, 1, 'x', [], {}, { ticket: null }, { ticket: { id: 7 }, decision: {} }])
      hub.push(odd);
    hub.push({ ticket, state: 'approved', decision: sampleDecision(ticket, human, now()) });
    await expect.poll(verdict).toMatchObject({ kind: 'approved' });
    expect(records).toContainEqual({ event: 'hub.lost', why: 'nonsense' });
  });

  test('a decision that comes with the answer to the posting counts like any other', async () => {
    hub.onPost = (ticket) => ({ state: 'approved', decision: sampleDecision(ticket, human, now()) });
    const { verdict } = await ask();
    await expect.poll(verdict).toMatchObject({ kind: 'approved' });
    hub.onPost = (ticket) => ({
      state: 'approved',
      decision: sampleDecision(ticket, makeSigningKey(), now()),
    });
    const forged = await ask();
    await expect.poll(codes).toEqual(['E_UNKNOWN_DECIDER']);
    expect(forged.verdict()).toBeUndefined();
  });
});

describe('openHubDecider: a hub that is slow, or says no', () => {
  test('no answer in time: unreachable, withdrawn at the hub, in the audit', async () => {
    desk.shutDown();
    desk = await openDesk(200);
    hub.onPost = () => undefined;
    const ticket = ticketNow();
    expect(await desk.ask(ticket, { timeoutMs: 1000, levelNeeded: 1 })).toBe('unreachable');
    expect(records).toContainEqual({ event: 'hub.unreachable', ticket: ticket.id, why: 'slow' });
    await expect
      .poll(() => hub.closings)
      .toContainEqual({ id: ticket.id, state: 'withdrawn', why: 'E_NO_HUB' });
  });

  test('not there at the start: a sentence for the human', async () => {
    await hub.close();
    await expect(openDesk()).rejects.toThrow(UserMistake);
    hub = await openLyingHub();
  });

  test('a client that leaves withdraws its question', async () => {
    const left = new AbortController();
    const asking = await desk.ask(ticketNow(), { timeoutMs: 60_000, levelNeeded: 1, signal: left.signal });
    left.abort();
    expect(asking !== 'unreachable' && (await asking.verdict)).toEqual({ kind: 'withdrawn' });
  });
});
