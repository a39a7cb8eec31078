// What every TicketStore must do, whatever keeps it: the tests of both stores run these.
import { describe, expect, test } from 'vitest';
import { makeSigningKey } from '../signing.js';
import { TICKET_LIMITS } from '../ticket.js';
import type { StoreChange, TicketStore } from '../store/ticket-store.js';
import { after, sampleConsole, sampleDecision, START } from './samples.js';

export interface OpenedStore {
  readonly store: TicketStore;
  /** Another reader of the same record, as a restart or another machine would be. */
  readonly reopen: () => Promise<TicketStore>;
}

export function describeStore(name: string, open: () => Promise<OpenedStore>): void {
  const decider = makeSigningKey();
  const posting = (signed: ReturnType<ReturnType<typeof sampleConsole>['sign']>, key: string) => ({
    ...signed,
    owner: 'web',
    key,
    now: START,
    maxWaiting: 100,
  });

  async function openWithTicket() {
    const { store, reopen } = await open();
    const lock = sampleConsole();
    await store.announce('web', lock.row);
    const signed = lock.sign();
    const posted = await store.post(posting(signed, lock.signing.key));
    if (!posted.ok) throw new Error(posted.code);
    return { store, reopen, lock, signed, ticket: signed.ticket, entry: posted.value.entry };
  }

  describe(name, () => {
    test('post: once; the same again is the same entry, another ticket under its id is E_DUPLICATE', async () => {
      const { store, lock, signed, entry } = await openWithTicket();
      expect(entry).toMatchObject({ state: 'pending', seq: 2, signature: signed.signature });
      const again = await store.post(posting(signed, lock.signing.key));
      expect(again).toEqual({ ok: true, value: { entry, isNew: false } });
      const other = lock.sign({ id: signed.ticket.id, peer_uid: 7 });
      expect(await store.post(posting(other, lock.signing.key))).toEqual({ ok: false, code: 'E_DUPLICATE' });
      expect(await store.post({ ...posting(signed, lock.signing.key), owner: 'db' })).toEqual({
        ok: false,
        code: 'E_DUPLICATE',
      });
    });

    test('post: more waiting tickets than an owner may have are E_BUSY', async () => {
      const { store, lock } = await openWithTicket();
      const second = { ...posting(lock.sign(), lock.signing.key), maxWaiting: 1 };
      expect(await store.post(second)).toEqual({ ok: false, code: 'E_BUSY' });
    });

    test('decide: the first decision counts, the same again answers alike, every other is E_NOT_PENDING', async () => {
      const { store, ticket } = await openWithTicket();
      const no = sampleDecision(ticket, decider, { verdict: 'denied', reason: 'not now' });
      const decided = await store.decide(ticket.id, no, after(60_000));
      expect(decided).toMatchObject({ ok: true, value: { state: 'denied', decision: no, seq: 3 } });
      expect(await store.decide(ticket.id, no, after(61_000))).toEqual(decided);
      const yes = sampleDecision(ticket, decider);
      expect(await store.decide(ticket.id, yes, after(61_000))).toEqual({ ok: false, code: 'E_NOT_PENDING' });
      expect(await store.decide('t_0000000000000000', yes, START)).toEqual({
        ok: false,
        code: 'E_UNKNOWN_TICKET',
      });
    });

    test('decide: of twenty at once exactly one counts', async () => {
      const { store, ticket } = await openWithTicket();
      const sayings = Array.from({ length: 20 }, (_, index) =>
        sampleDecision(ticket, decider, {
          verdict: index % 2 === 0 ? 'approved' : 'denied',
          now: after(index),
        }),
      );
      const outcomes = await Promise.all(sayings.map((one) => store.decide(ticket.id, one, after(60_000))));
      expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    });

    test('expire: an undecided ticket is expired, not denied, and takes no decision; it stays listed', async () => {
      const { store, ticket } = await openWithTicket();
      const late = after(TICKET_LIMITS.decideMs);
      expect(await store.decide(ticket.id, sampleDecision(ticket, decider), late)).toEqual({
        ok: false,
        code: 'E_NOT_PENDING',
      });
      await store.expire(late);
      expect((await store.find(ticket.id))?.entry).toMatchObject({ state: 'expired' });
      expect(await store.page({ state: 'closed', from: { after: 0 }, count: 10 })).toHaveLength(1);
      expect(await store.page({ state: 'open', from: { after: 0 }, count: 10 })).toHaveLength(0);
    });

    test('expire: an approved ticket has its own ten minutes', async () => {
      const { store, ticket } = await openWithTicket();
      await store.decide(ticket.id, sampleDecision(ticket, decider), after(60_000));
      await store.expire(after(TICKET_LIMITS.useMs + 59_000));
      expect((await store.find(ticket.id))?.entry.state).toBe('approved');
      await store.expire(after(TICKET_LIMITS.useMs + 60_000));
      expect((await store.find(ticket.id))?.entry.state).toBe('expired');
    });

    test('close: only along the states, only by its owner, and the same twice', async () => {
      const { store, ticket } = await openWithTicket();
      const close = (state: 'used' | 'withdrawn', owner = 'web', why?: string) =>
        store.close({ owner, id: ticket.id, state, now: after(90_000), ...(why ? { why } : {}) });
      expect(await close('used')).toEqual({ ok: false, code: 'E_NOT_PENDING' });
      expect(await close('withdrawn', 'db')).toEqual({ ok: false, code: 'E_UNKNOWN_TICKET' });
      await store.decide(ticket.id, sampleDecision(ticket, decider), after(60_000));
      expect(await close('used')).toMatchObject({ ok: true, value: { state: 'used' } });
      expect(await close('used')).toMatchObject({ ok: true, value: { state: 'used' } });
      expect(await close('withdrawn')).toEqual({ ok: false, code: 'E_NOT_PENDING' });
    });

    test('announce: a new key withdraws what the earlier run had open, the same key nothing', async () => {
      const { store, lock, ticket } = await openWithTicket();
      await store.announce('web', lock.row);
      expect((await store.find(ticket.id))?.entry.state).toBe('pending');
      await store.announce('web', sampleConsole().row);
      expect((await store.find(ticket.id))?.entry).toMatchObject({ state: 'withdrawn', why: 'E_NEW_RUN' });
      expect(await store.consoles()).toHaveLength(1);
    });

    test('page: ascending and descending from any seq, by state', async () => {
      const { store, lock, ticket } = await openWithTicket();
      const more = Array.from({ length: 4 }, () => lock.sign());
      for (const signed of more) await store.post(posting(signed, lock.signing.key));
      await store.decide(ticket.id, sampleDecision(ticket, decider, { verdict: 'denied' }), after(1));
      const ids = async (query: Parameters<TicketStore['page']>[0]) =>
        (await store.page(query)).map((entry) => entry.ticket.id);
      const opened = more.map((signed) => signed.ticket.id);
      expect(await ids({ state: 'open', from: { after: 0 }, count: 10 })).toEqual(opened);
      expect(await ids({ state: 'all', from: { after: 0 }, count: 10 })).toEqual([...opened, ticket.id]);
      expect(await ids({ state: 'all', from: { before: 1e9 }, count: 2 })).toEqual([ticket.id, opened[3]]);
      const [, second] = await store.page({ state: 'open', from: { after: 0 }, count: 2 });
      expect(await ids({ state: 'open', from: { after: second?.seq ?? 0 }, count: 2 })).toEqual(
        opened.slice(2),
      );
    });

    test('changes: every ticket once, as it is now, in order; consoles only without an owner', async () => {
      const { store, lock, ticket } = await openWithTicket();
      const second = lock.sign();
      await store.post(posting(second, lock.signing.key));
      await store.decide(ticket.id, sampleDecision(ticket, decider), after(1));
      const seen = (changes: readonly StoreChange[]): readonly string[] =>
        changes.map((change) => (change.kind === 'ticket' ? change.entry.ticket.id : 'console'));
      expect(seen(await store.changes({ after: 0, count: 10 }))).toEqual([
        'console',
        second.ticket.id,
        ticket.id,
      ]);
      expect(seen(await store.changes({ after: 0, count: 10, owner: 'web' }))).toEqual([
        second.ticket.id,
        ticket.id,
      ]);
      expect(await store.changes({ after: 0, count: 10, owner: 'db' })).toEqual([]);
      expect(await store.changes({ after: await store.head(), count: 10 })).toEqual([]);
    });

    test('onChange: tells after a change that it can be read', async () => {
      const { store, lock } = await openWithTicket();
      const before = await store.head();
      const told = new Promise<void>((resolve) => store.onChange(resolve));
      await store.post(posting(lock.sign(), lock.signing.key));
      await told;
      expect(await store.head()).toBe(before + 1);
    });

    test('reopen: everything is there as it was', async () => {
      const { store, lock, ticket, reopen } = await openWithTicket();
      await store.decide(ticket.id, sampleDecision(ticket, decider), after(60_000));
      await store.close({ owner: 'web', id: ticket.id, state: 'used', now: after(61_000) });
      const waiting = lock.sign();
      await store.post(posting(waiting, lock.signing.key));
      const all = await store.page({ state: 'all', from: { after: 0 }, count: 10 });
      const again = await reopen();
      expect(await again.page({ state: 'all', from: { after: 0 }, count: 10 })).toEqual(all);
      expect(await again.find(ticket.id)).toMatchObject({
        owner: 'web',
        entry: { state: 'used', decision: {} },
      });
      expect(await again.head()).toBe(all.at(-1)?.seq);
    });
  });
}
