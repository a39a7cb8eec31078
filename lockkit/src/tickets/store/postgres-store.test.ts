// The shared record on a real PostgreSQL: the same contract as the embedded one, several hubs, and a database that is
// killed in the middle.
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeSigningKey } from '../signing.js';
import { TICKET_LIMITS, type Ticket } from '../ticket.js';
import { later, openTestHub, type TestHub } from '../test/open-hub.js';
import { hasPostgres, openTestPostgres, type TestPostgres } from '../test/open-postgres.js';
import { sampleConsole, sampleDecision, sampleTicket, START } from '../test/samples.js';
import { describeStore } from '../test/store-contract.js';
import { openPostgresStore } from './postgres-store.js';
import { StoreFault, type TicketStore } from './ticket-store.js';

const isReal = hasPostgres();
let database: TestPostgres;
let opened: { readonly shutDown: () => Promise<void> }[] = [];

beforeAll(async () => {
  if (isReal) database = await openTestPostgres();
});
afterAll(async () => {
  if (isReal) await database.close();
});
beforeEach(async () => {
  if (isReal) await sql('drop schema if exists lockkit_hub cascade');
});
afterEach(async () => {
  for (const store of opened) await store.shutDown();
  opened = [];
});

async function sql(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: database.connectionString });
  await client.connect();
  await client.query(text).finally(() => client.end());
}

async function open(): Promise<TicketStore> {
  const store = await openPostgresStore({ connectionString: database.connectionString, later });
  opened.push(store);
  return store;
}

function ticketNow(changes: Partial<Ticket> = {}): Ticket {
  const nowMs = Date.now();
  const expires = new Date(nowMs + TICKET_LIMITS.decideMs);
  return sampleTicket({
    created_at: new Date(nowMs).toISOString(),
    expires_at: expires.toISOString(),
    ...changes,
  });
}

describe.skipIf(!isReal)('PostgreSQL', () => {
  describeStore('openPostgresStore', async () => ({ store: await open(), reopen: open }));

  test('openPostgresStore: a database that is not there is a StoreFault, one of another version is refused', async () => {
    const gone = openPostgresStore({ connectionString: 'postgres://hub@127.0.0.1:1/x', later });
    await expect(gone).rejects.toBeInstanceOf(StoreFault);
    await open();
    await sql('update lockkit_hub.head set version = 2');
    await expect(open()).rejects.toMatchObject({ name: 'UserMistake' });
  });

  test('decide: of decisions through two hubs at once exactly one counts, and both hubs say the same', async () => {
    const stores = [await open(), await open()];
    const lock = sampleConsole();
    await stores[0]?.announce('web', lock.row);
    const decider = makeSigningKey();
    for (let round = 0; round < 10; round++) {
      const signed = lock.sign();
      await stores[round % 2]?.post({
        ...signed,
        owner: 'web',
        key: lock.signing.key,
        now: START,
        maxWaiting: 99,
      });
      const outcomes = await Promise.all(
        stores.map((store, index) => {
          const verdict = index === 0 ? 'approved' : 'denied';
          return store.decide(signed.ticket.id, sampleDecision(signed.ticket, decider, { verdict }), START);
        }),
      );
      expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
      const [one, other] = await Promise.all(stores.map((store) => store.find(signed.ticket.id)));
      expect(one).toEqual(other);
    }
  });

  test('changes: a reader never sees a seq appear below one that it has seen', async () => {
    const stores = [await open(), await open(), await open()];
    const lock = sampleConsole();
    await stores[0]?.announce('web', lock.row);
    let seen = 0;
    const seqs: number[] = [];
    const reading = (async () => {
      while (seen < 41)
        for (const change of await (stores[2] as TicketStore).changes({ after: seen, count: 3 }))
          seqs.push((seen = change.kind === 'ticket' ? change.entry.seq : change.seq));
    })();
    await Promise.all(
      Array.from({ length: 40 }, (_, index) => {
        const posting = { ...lock.sign(), owner: 'web', key: lock.signing.key, now: START, maxWaiting: 99 };
        return (stores[index % 2] as TicketStore).post(posting);
      }),
    );
    await reading;
    expect(seqs).toEqual(Array.from({ length: 41 }, (_, index) => index + 1));
  });

  test('a ticket posted at one hub is decided at another, and its lock hears of it', async () => {
    const hubs: TestHub[] = [];
    for (let i = 0; i < 2; i++) hubs.push(await openTestHub({ openStore: open }));
    const [here, there] = hubs as [TestHub, TestHub];
    try {
      const lock = await here.openLock();
      const heard = new Promise<unknown>((resolve) => void lock.post(ticketNow(), resolve));
      const decider = await there.openDecider({ decider: there.human });
      await expect.poll(() => decider.open()).toHaveLength(1);
      const [entry] = decider.open();
      if (!entry) throw new Error('no entry');
      const verdicts = { verdict: 'denied', rule: 'human' } as const;
      expect(await decider.decide(entry, verdicts)).toMatchObject({ ok: true });
      expect(await heard).toMatchObject({ decision: { verdict: 'denied', key: there.human.key } });
    } finally {
      for (const hub of hubs) await hub.close();
    }
  });

  test('killed in the middle: what was answered is there, nothing is decided twice, and the hub goes on by itself', async () => {
    const hub = await openTestHub({ openStore: open });
    try {
      const [lock, decider] = [await hub.openLock(), await hub.openDecider()];
      const ticket = ticketNow();
      const heard: unknown[] = [];
      await lock.post(ticket, (value) => heard.push(value));
      await expect.poll(() => decider.open()).toHaveLength(1);
      const answered: string[] = [];
      // Posted without a pause while the database dies: each is answered, refused or lost, never half there.
      const posting = (async () => {
        for (let i = 0; i < 60; i++) {
          const one = ticketNow();
          const outcome = await lock.post(one, () => undefined).catch(() => undefined);
          if (outcome?.ok) answered.push(one.id);
        }
      })();
      await expect.poll(() => answered.length).toBeGreaterThan(3);
      await database.kill();
      await posting;
      const [entry] = decider.open();
      if (!entry) throw new Error('no entry');
      const verdicts = { verdict: 'approved', rule: 'human', desktopLevel: 3 } as const;
      expect(await decider.decide(entry, verdicts)).toEqual({ ok: false, code: 'E_STORE' });
      expect(heard).toEqual([]);
      await database.start();
      await expect
        .poll(() => decider.decide(entry, verdicts).catch(() => undefined), { timeout: 15_000 })
        .toMatchObject({ ok: true });
      await expect.poll(() => heard.length, { timeout: 15_000 }).toBeGreaterThan(0);
      expect(heard[0]).toMatchObject({ decision: { ticket: ticket.id, verdict: 'approved' } });
      for (const id of answered) expect(await hub.store().find(id)).toMatchObject({ owner: 'web' });
      expect(hub.faults.length).toBeGreaterThan(0);
    } finally {
      await hub.close();
    }
  });
});
