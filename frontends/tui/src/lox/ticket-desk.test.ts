// Tickets through the real hub of lox: a console's end posts them, the window shows them, decisions come back signed and
// are checked as the lock checks them.
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDeciderHub, openLockHub, type DeciderHub, type HubAddress, type LockHub } from 'lockkit/hub';
import {
  checkDecision,
  makeSigningKey,
  openSealKey,
  type ProfileRules,
  type SigningKey,
  type Ticket,
} from 'lockkit/tickets';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openTestWindow, type TestWindow } from '../test/test-window.js';
import { openHubHost, type HubHost } from './hub-host.js';
import type { LockRow } from './lock-list.js';
import { placeIn } from './lox-place.js';
import { FINGERPRINT, sampleTicket } from './test/sample-ticket.js';
import { TicketDesk } from './ticket-desk.js';

const row: LockRow = {
  lock: 'lockssh',
  command: ['/usr/local/bin/lockssh'],
  profile: 'web',
  instance: '',
  projectDir: '/',
  allowUnmask: false,
  showResults: false,
};
const later = (ms: number, call: () => void): (() => void) => {
  const timer = setTimeout(call, ms);
  return () => clearTimeout(timer);
};
const uid = process.getuid?.() ?? -1;
const common = { mayServe: () => true, later };

let folder: string;
let host: HubHost;
let lock: LockHub;
let human: DeciderHub;
let auto: DeciderHub;
let at: TestWindow;
let desk: TicketDesk;
let signing: SigningKey;
let trusted: string[];
let rules: ProfileRules | null;
let keyFile: { address: HubAddress; token: string };

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lox-desk-'));
  const place = placeIn(join(folder, 'config'), join(folder, 'state'));
  host = await openHubHost({
    place,
    ownUid: uid,
    isShared: false,
    nowMs: Date.now,
    later,
    onFault: () => undefined,
  });
  const path = host.admit(row, uid);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const { token } = JSON.parse(readFileSync(path, 'utf8')) as { token: string };
  keyFile = { address: host.address, token };
  signing = makeSigningKey();
  trusted = [signing.key];
  rules = null;
  at = openTestWindow({ columns: 100, rows: 40 });
  const decider = {
    address: host.address,
    isTrusted: (key: string) => trusted.includes(key),
    now: () => new Date(),
    ...common,
  };
  auto = await openDeciderHub({ ...decider, decider: host.auto, onNews: () => undefined });
  human = await openDeciderHub({ ...decider, decider: host.human, onNews: (news) => desk.hear(news) });
  desk = new TicketDesk({
    window: at.window,
    human: () => human,
    auto: () => auto,
    rules: { rulesFor: () => Promise.resolve(rules) },
    desktopLevel: 2,
    rowOf: ({ key }) => (trusted.includes(key) ? { row, source: 'web' } : undefined),
  });
  lock = await openLockHub({
    ...common,
    keyFile,
    ...row,
    version: '1',
    signing,
    nowMs: Date.now,
    onNews: () => undefined,
  });
});

afterEach(async () => {
  lock.shutDown();
  human.close();
  auto.close();
  at.window.close();
  await host.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Posts the ticket; gives what the lock heard, checked as the lock checks it. */
async function post(ticket: Ticket): Promise<{ heard: unknown[]; checked: () => unknown }> {
  const heard: unknown[] = [];
  expect((await lock.post(ticket, (value) => void heard.push(value))).ok).toBe(true);
  const deciders = [
    { key: host.human.key, role: 'human' as const },
    { key: host.auto.key, role: 'auto' as const },
  ];
  const checked = (): unknown => {
    const result = checkDecision(heard[0], { ticket, deciders, nowMs: Date.now(), levelNeeded: 1 });
    return result.ok ? result.value : result.code;
  };
  return { heard, checked };
}

const shown = (text: string): Promise<void> =>
  expect.poll(() => (at.clock.forward(25), at.text()), { timeout: 10_000 }).toContain(text);

async function line(text: string): Promise<void> {
  at.clock.forward(1500);
  await at.type(text);
  at.clock.forward(100);
  await at.type('\r');
  at.clock.forward(500);
}

describe('TicketDesk', () => {
  test('shows what a human must decide, and sends the signed answer with the level of the window', async () => {
    const ticket = sampleTicket();
    const { heard, checked } = await post(ticket);
    await shown('╭─ WEB · a command');
    expect(at.text()).toContain(`write       exec     ${ticket.id}`);
    await line('n too early in the day');
    await expect.poll(() => heard.length, { timeout: 10_000 }).toBe(1);
    expect(checked()).toMatchObject({
      verdict: 'denied',
      rule: 'human',
      desktop_level: 2,
      reason: 'too early in the day',
    });
    await expect
      .poll(() => (at.clock.forward(5000), at.text()), { timeout: 10_000 })
      .toContain('denied by a human');
  });

  test('approves by the rule of the approved policy, without a question', async () => {
    rules = {
      profile: 'web',
      production: false,
      fingerprint: FINGERPRINT,
      auto: { exec: 'auto' },
      never_auto: ['unmask'],
    };
    const { heard, checked } = await post(sampleTicket());
    await expect.poll(() => heard.length, { timeout: 10_000 }).toBe(1);
    expect(checked()).toMatchObject({ verdict: 'approved', rule: 'auto.exec' });
    expect(at.text()).not.toContain('╭─ WEB');
  });

  test.each([
    ['never_auto', { never_auto: true }, {}],
    ['a write on production', { risk: 'prod-write' as const }, {}],
    ['rules of another policy', { policy_fingerprint: 'a'.repeat(64) }, {}],
    ['a kind that the rules do not name', { kind: 'connect' as const }, {}],
    ['rules that say ask', {}, { exec: 'ask' as const }],
  ])('asks the human for %s', async (_name, changes, more) => {
    rules = {
      profile: 'web',
      production: false,
      fingerprint: FINGERPRINT,
      auto: { exec: 'auto', ...more },
      never_auto: [],
    };
    const { heard } = await post(sampleTicket(changes));
    await shown('╭─ WEB · a command');
    expect(heard).toEqual([]);
  });

  test('a ticket of a console that lox did not start is not shown', async () => {
    trusted = [];
    await post(sampleTicket());
    await shown('no console of this lox signed');
    expect(at.text()).not.toContain('╭─ WEB');
  });

  test('a ticket that its lock withdrew leaves the window, with the reason', async () => {
    const ticket = sampleTicket();
    await post(ticket);
    await shown('╭─ WEB · a command');
    lock.close(ticket, 'withdrawn', 'E_STALE');
    await shown('this ticket was withdrawn: press Enter');
  });

  test('a ticket that somebody else decided leaves the window', async () => {
    const ticket = sampleTicket();
    const { heard } = await post(ticket);
    await shown('╭─ WEB · a command');
    const [entry] = human.open();
    if (entry === undefined) throw new Error('the ticket is not there');
    await human.decide(entry, { verdict: 'approved', rule: 'human', desktopLevel: 1 });
    await shown('this ticket was approved elsewhere');
    await line('y');
    expect(heard.length).toBe(1);
    await desk.decided(ticket.id);
  });

  test('values are typed after the approval, without echo, and arrive sealed', async () => {
    const seal = await openSealKey();
    const input = { kind: 'text', max_bytes: 64 } as const;
    const ticket = sampleTicket({
      never_auto: true,
      seal_key: seal.publicKey,
      inputs: [
        { name: 'a.needle', placeholder: 'needle', ...input },
        { name: 'b.needle', placeholder: 'needle', ...input },
      ],
    });
    const { heard, checked } = await post(ticket);
    await shown('╭─ WEB · a command');
    await line('y');
    await shown('a value to type');
    at.clock.forward(1500);
    await at.type('hunter2');
    expect(at.text()).not.toContain('hunter2');
    await at.type('\r');
    at.clock.forward(500);
    await expect.poll(() => heard.length, { timeout: 10_000 }).toBe(1);
    const decision = checked() as { sealed: Parameters<typeof seal.open>[1] };
    expect(JSON.stringify(heard)).not.toContain('hunter2');
    const values = await seal.open(ticket, decision.sealed);
    expect([values?.get('a.needle')?.toString(), values?.get('b.needle')?.toString()]).toEqual([
      'hunter2',
      'hunter2',
    ]);
  });

  test('a console that ended takes its tickets out of the window', async () => {
    await post(sampleTicket());
    await shown('╭─ WEB · a command');
    desk.dropOf('web');
    await shown('its console ended: this ticket can no longer run');
  });
});
