// A hub that is killed at any moment: what it answered is in its record, and the locks and deciders go on by themselves.
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lockFile } from '../../native/kernel.js';
import { bundleScript } from '../../test/bundle-script.js';
import { openDeciderHub } from '../client/decider-hub.js';
import { openLockHub } from '../client/lock-hub.js';
import { makeSigningKey } from '../signing.js';
import { openEmbeddedStore } from '../store/embedded-store.js';
import { later } from '../test/open-hub.js';
import { sampleTicket } from '../test/samples.js';
import { TICKET_LIMITS, type Ticket } from '../ticket.js';
import { hashToken, makeToken } from './access.js';

function ticketNow(): Ticket {
  const nowMs = Date.now();
  return sampleTicket({
    created_at: new Date(nowMs).toISOString(),
    expires_at: new Date(nowMs + TICKET_LIMITS.decideMs).toISOString(),
  });
}

test('killed again and again while tickets and decisions arrive: nothing that was answered is lost', async () => {
  const script = await bundleScript(join(import.meta.dirname, '../test/hub-process.ts'));
  const folder = mkdtempSync(join(tmpdir(), 'lock-hub-'));
  const token = makeToken(randomBytes);
  const human = makeSigningKey();
  const start = async (): Promise<ChildProcess> => {
    const args = [script, folder, hashToken(token), human.key];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    return child;
  };
  let process_ = await start();
  const address = { kind: 'unix', path: join(folder, 'hub.sock') } as const;
  const common = { mayServe: () => true, later, onNews: () => undefined };
  const place = { lock: 'lockssh', instance: '', profile: 'web', version: '1' };
  const lock = await openLockHub({
    ...common,
    ...place,
    keyFile: { address, token },
    signing: makeSigningKey(),
    nowMs: Date.now,
  });
  const answered = new Map<string, 'pending' | 'denied'>();
  const decider = await openDeciderHub({
    ...common,
    address,
    decider: human,
    now: () => new Date(),
    onNews: (news) => {
      if (news.kind !== 'ticket' || news.entry.state !== 'pending') return;
      const { id } = news.entry.ticket;
      void decider
        .decide(news.entry, { verdict: 'denied', rule: 'human' })
        .then(({ ok }) => ok && answered.set(id, 'denied'))
        .catch(() => undefined);
    },
  });
  const denials = (): number => [...answered.values()].filter((state) => state === 'denied').length;
  const over = new AbortController();
  const posting = (async () => {
    while (!over.signal.aborted) {
      const ticket = ticketNow();
      const outcome = await lock.post(ticket, () => undefined).catch(() => undefined);
      if (outcome?.ok && !answered.has(ticket.id)) answered.set(ticket.id, 'pending');
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
  })();
  for (let round = 1; round <= 2; round++) {
    const before = denials();
    await expect.poll(denials, { timeout: 20_000, interval: 7 }).toBeGreaterThan(before + round);
    const ended = once(process_, 'exit');
    process_.kill('SIGKILL');
    await ended;
    process_ = await start();
  }
  over.abort();
  await posting;
  lock.shutDown();
  decider.close();
  const ended = once(process_, 'exit');
  process_.kill('SIGKILL');
  await ended;
  expect(
    readdirSync(join(folder, 'record')).filter((name) => name.startsWith('hub-')).length,
  ).toBeGreaterThan(1);
  const store = await openEmbeddedStore({ folder: join(folder, 'record'), lock: lockFile });
  for (const [id, state] of answered) {
    const found = await store.find(id);
    expect(found, id).toBeDefined();
    if (state === 'denied')
      expect(found?.entry).toMatchObject({ state, decision: { decision: { ticket: id } } });
  }
  await store.shutDown();
  rmSync(folder, { recursive: true, force: true });
});
