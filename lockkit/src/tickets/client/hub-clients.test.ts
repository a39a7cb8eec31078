// The lock's and the decider's end against a real hub: the way of a ticket, and what happens when the hub stops, lies
// or floods (docs/hub-protocol.md).
import { afterEach, describe, expect, test } from 'vitest';
import { checkDecision } from '../check-decision.js';
import { openSealKey } from '../seal.js';
import { signTicket } from '../signed-ticket.js';
import { makeSigningKey } from '../signing.js';
import { TICKET_LIMITS, type Ticket } from '../ticket.js';
import { openTestHub, type TestHub, type TestHubWishes } from '../test/open-hub.js';
import { sampleTicket } from '../test/samples.js';
import { HubLost, HubRefused } from './hub-lost.js';

let hub: TestHub;

afterEach(() => hub.close());

async function open(wishes: TestHubWishes = {}): Promise<TestHub> {
  hub = await openTestHub(wishes);
  return hub;
}

/** A ticket of now. */
function ticketNow(changes: Partial<Ticket> = {}): Ticket {
  const nowMs = Date.now();
  return sampleTicket({
    created_at: new Date(nowMs).toISOString(),
    expires_at: new Date(nowMs + TICKET_LIMITS.decideMs).toISOString(),
    ...changes,
  });
}

const known = (ticket: Ticket) => ({
  ticket,
  deciders: [
    { key: hub.human.key, role: 'human' as const },
    { key: hub.auto.key, role: 'auto' as const },
  ],
  nowMs: Date.now(),
  levelNeeded: 1 as const,
});

describe('a ticket through the hub', () => {
  test('posted, seen verified, decided, heard, used; it stays listed', async () => {
    const { openLock, openDecider } = await open();
    const [lock, decider] = [await openLock(), await openDecider()];
    const ticket = ticketNow();
    const heard = new Promise<unknown>((resolve) => void lock.post(ticket, resolve));
    await expect.poll(() => decider.open()).toMatchObject([{ ticket, state: 'pending', verified: true }]);
    const [entry] = decider.open();
    if (!entry) throw new Error('no entry');
    const decided = await decider.decide(entry, { verdict: 'approved', rule: 'human', desktopLevel: 3 });
    expect(decided).toMatchObject({ ok: true, value: { state: 'approved' } });
    expect(checkDecision(await heard, known(ticket))).toMatchObject({
      ok: true,
      value: { verdict: 'approved', rule: 'human' },
    });
    lock.close(ticket, 'used');
    await expect.poll(() => decider.open()).toEqual([]);
    const { entries } = await decider.history();
    expect(entries).toMatchObject([
      { ticket, state: 'used', decision: { decision: { verdict: 'approved' } } },
    ]);
  });

  test('two deciders at once: one decision counts, the other is told E_NOT_PENDING', async () => {
    const { openLock, openDecider, auto } = await open();
    const lock = await openLock();
    const heard: unknown[] = [];
    await lock.post(ticketNow(), (value) => heard.push(value));
    const deciders = [await openDecider(), await openDecider({ decider: auto })];
    const outcomes = await Promise.all(
      deciders.map((decider, index) => {
        const [entry] = decider.open();
        if (!entry) throw new Error('no entry');
        return decider.decide(entry, {
          verdict: index === 0 ? 'denied' : 'approved',
          rule: index === 0 ? 'human' : 'auto.exec',
        });
      }),
    );
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    expect(outcomes.find(({ ok }) => !ok)).toEqual({ ok: false, code: 'E_NOT_PENDING' });
    await expect.poll(() => heard.length).toBeGreaterThan(0);
    expect(new Set(heard.map((value) => JSON.stringify(value))).size).toBe(1);
  });

  test('typed values travel sealed: only the ticket’s one-use key opens them, the record does not hold them', async () => {
    const { openLock, openDecider, store } = await open();
    const [lock, decider] = [await openLock(), await openDecider()];
    const seal = await openSealKey();
    const inputs = [
      { name: 'pdf.contains.needle', placeholder: 'email', kind: 'email' as const, max_bytes: 64 },
      { name: 'pdf.starts.needle', placeholder: 'email', kind: 'text' as const, max_bytes: 256 },
    ];
    const ticket = ticketNow({ kind: 'plan', never_auto: true, inputs, seal_key: seal.publicKey });
    const heard = new Promise<unknown>((resolve) => void lock.post(ticket, resolve));
    await expect.poll(() => decider.open()).toHaveLength(1);
    const typed = Buffer.from('anna@example.org');
    const [entry] = decider.open();
    if (!entry) throw new Error('no entry');
    await decider.decide(entry, { verdict: 'approved', rule: 'human', values: new Map([['email', typed]]) });
    expect(typed.every((byte) => byte === 0)).toBe(true);
    const checked = checkDecision(await heard, known(ticket));
    if (!checked.ok) throw new Error(checked.code);
    const values = await seal.open(ticket, checked.value.sealed ?? {});
    expect([...(values ?? [])].map(([name, value]) => [name, value.toString()])).toEqual(
      inputs.map(({ name }) => [name, 'anna@example.org']),
    );
    expect(await seal.open(ticket, checked.value.sealed ?? {})).toBeNull();
    expect(JSON.stringify(await store().find(ticket.id))).not.toContain('anna');
  });
});

describe('a hub that is asked too fast', () => {
  test('E_BUSY is waited for: every waiting ticket is read, and every decision gets through', async () => {
    const { openLock, openDecider, store } = await open();
    const signing = makeSigningKey();
    const lock = await openLock({ signing });
    const count = 260;
    // Straight into the record: the door takes a hundred a second from one lock.
    await Promise.all(
      Array.from({ length: count }, () => {
        const signed = signTicket(ticketNow(), signing);
        return store().post({ ...signed, owner: 'web', key: signing.key, now: new Date(), maxWaiting: 999 });
      }),
    );
    const decider = await openDecider();
    expect(decider.open()).toHaveLength(count);
    const outcomes = await Promise.all(
      decider.open().map((entry) => decider.decide(entry, { verdict: 'denied', rule: 'human' })),
    );
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(count);
    lock.shutDown();
  });
});

describe('a hub that fails', () => {
  test('down at the start: HubLost; a wrong token, another lock, another account: refused', async () => {
    const { openLock, stop, start, locks } = await open();
    await expect(openLock({ profile: 'other' })).rejects.toEqual(new HubRefused('E_FORBIDDEN'));
    const { address } = hub;
    const wrong = { address, token: Buffer.alloc(32).toString('base64url') };
    await expect(openLock({ keyFile: wrong })).rejects.toEqual(new HubRefused('E_UNAUTHORIZED'));
    locks[0] = { ...(locks[0] as (typeof locks)[0]), uid: 4242 };
    await expect(openLock()).rejects.toEqual(new HubRefused('E_UNAUTHORIZED'));
    await expect(openLock({ mayServe: () => false })).rejects.toEqual(new HubLost('stranger'));
    await stop();
    await expect(openLock()).rejects.toEqual(new HubLost('down'));
    await start();
  });

  test('restarted with its record: what waits is posted again, decided there, and heard once it is back', async () => {
    const { openLock, openDecider, stop, start } = await open();
    const [lock, decider] = [await openLock(), await openDecider()];
    const ticket = ticketNow();
    const heard = new Promise<unknown>((resolve) => void lock.post(ticket, resolve));
    await expect.poll(() => decider.open()).toHaveLength(1);
    await stop();
    await expect.poll(() => lock.news).toContainEqual({ kind: 'lost', why: 'down' });
    await expect(lock.post(ticketNow(), () => undefined)).rejects.toBeInstanceOf(HubLost);
    await start();
    await expect.poll(() => decider.news.at(-1), { timeout: 10_000 }).toMatchObject({ kind: 'back' });
    const [entry] = decider.open();
    if (!entry) throw new Error('no entry');
    await decider.decide(entry, { verdict: 'denied', rule: 'human', reason: 'no' });
    expect(checkDecision(await heard, known(ticket))).toMatchObject({
      ok: true,
      value: { verdict: 'denied' },
    });
    expect(lock.news.at(-1)).toEqual({ kind: 'back' });
  });

  test('decided while the lock was away: the answer to the new posting tells', async () => {
    const { openLock, openDecider, stop, start, store } = await open();
    const lock = await openLock();
    const ticket = ticketNow();
    let told: unknown;
    await lock.post(ticket, (value) => (told = value));
    const found = await store().find(ticket.id);
    await stop();
    await start();
    const decider = await openDecider();
    const entry = { ...found?.entry, verified: true } as never;
    await decider.decide(entry, { verdict: 'approved', rule: 'human', desktopLevel: 3 });
    await expect.poll(() => told, { timeout: 10_000 }).toBeDefined();
    expect(checkDecision(told, known(ticket))).toMatchObject({ ok: true });
  });

  test('a second run of the console: the first run’s tickets are withdrawn, its key posts no more', async () => {
    const { openLock, openDecider } = await open();
    const [first, decider] = [await openLock(), await openDecider()];
    await first.post(ticketNow(), () => undefined);
    await expect.poll(() => decider.open()).toHaveLength(1);
    const second = await openLock();
    await expect.poll(() => decider.open()).toEqual([]);
    expect(await first.post(ticketNow(), () => undefined)).toEqual({ ok: false, code: 'E_BAD_SIGNATURE' });
    expect(await second.post(ticketNow(), () => undefined)).toMatchObject({ ok: true });
  });

  test('a ticket that no trusted console signed is shown to nobody', async () => {
    const { openLock, openDecider } = await open();
    const [lock, decider] = [await openLock(), await openDecider({ isTrusted: () => false })];
    const ticket = ticketNow();
    await lock.post(ticket, () => undefined);
    await expect.poll(() => decider.news).toContainEqual({ kind: 'forged', id: ticket.id });
    expect(decider.open()).toEqual([]);
    expect(await decider.history()).toMatchObject({ entries: [] });
  });

  test('a key that is no decider’s gets no session and decides nothing', async () => {
    const { openLock, openDecider } = await open();
    await (await openLock()).post(ticketNow(), () => undefined);
    await expect(openDecider({ decider: makeSigningKey() })).rejects.toEqual(
      new HubRefused('E_UNAUTHORIZED'),
    );
  });
});
