// The hub's door: who may speak, how much, how often, and what hostile input does (docs/hub-protocol.md, sections 7-9).
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { signTicket } from '../signed-ticket.js';
import { makeSigningKey, signCanonical, type SigningKey } from '../signing.js';
import { openTestHub, type TestHub } from '../test/open-hub.js';
import { sendToHub, type Answer, type Sent } from '../test/send-to-hub.js';
import { after, sampleDecision, sampleTicket, START } from '../test/samples.js';
import { hashToken, makeToken } from './access.js';
import { HUB_LIMITS } from './hub-limits.js';

let hub: TestHub;
let nowMs: number;
const signing = makeSigningKey();

beforeEach(async () => {
  nowMs = START.getTime();
  hub = await openTestHub({ nowMs: () => nowMs });
});
afterEach(() => hub.close());

const send = (sent: Sent): Promise<Answer> => sendToHub(hub.folder, sent);
const bearer = () => ({ authorization: `Bearer ${hub.token}`, 'content-type': 'application/json' });
const asLock = (method: string, path: string, body?: unknown): Promise<Answer> =>
  send({ method, path, headers: bearer(), ...(body === undefined ? {} : { body: JSON.stringify(body) }) });

async function openSession(decider: SigningKey): Promise<Readonly<Record<string, string>>> {
  const json = { 'content-type': 'application/json' };
  const { key } = decider;
  const path = '/v1/session';
  const asked = await send({
    method: 'POST',
    path: `${path}/challenge`,
    headers: json,
    body: JSON.stringify({ key }),
  });
  const { challenge } = asked.body;
  const signature = signCanonical('lockkit hub session v1', { challenge, key }, decider);
  const body = JSON.stringify({ key, challenge, signature });
  const opened = await send({ method: 'POST', path, headers: json, body });
  expect(opened.status).toBe(200);
  // A challenge counts once.
  expect((await send({ method: 'POST', path, headers: json, body })).status).toBe(401);
  return { ...json, authorization: `Session ${opened.body.session}` };
}

const announce = (changes: object = {}): Promise<Answer> =>
  asLock('PUT', '/v1/console', {
    lock: 'lockssh',
    instance: '',
    profile: 'web',
    version: '1',
    key: signing.key,
    ...changes,
  });
const code = ({ status, body }: Answer): unknown => body?.error?.code ?? status;

describe('openHubServer: who may speak', () => {
  test('nobody without a token or a session; a browser never', async () => {
    for (const headers of [
      {},
      { authorization: 'Bearer x' },
      { authorization: `Bearer ${makeToken(randomBytes)}` },
      { authorization: `Session ${hub.token}` },
      { authorization: `Basic ${hub.token}` },
    ])
      expect(code(await send({ path: '/v1/tickets', headers }))).toBe('E_UNAUTHORIZED');
    const headers = { ...bearer(), origin: 'https://example.org' };
    expect(code(await send({ path: '/v1/events', headers }))).toBe('E_FORBIDDEN');
  });

  test('a lock lists nothing and decides nothing, a decider posts nothing', async () => {
    await announce();
    const ticket = sampleTicket();
    await asLock('POST', '/v1/tickets', signTicket(ticket, signing));
    const decision = sampleDecision(ticket, hub.human);
    expect(code(await asLock('GET', '/v1/tickets'))).toBe('E_FORBIDDEN');
    expect(code(await asLock('GET', '/v1/consoles'))).toBe('E_FORBIDDEN');
    expect(code(await asLock('POST', `/v1/tickets/${ticket.id}/decision`, decision))).toBe('E_FORBIDDEN');
    const headers = await openSession(hub.human);
    const body = JSON.stringify(signTicket(sampleTicket(), signing));
    expect(code(await send({ method: 'POST', path: '/v1/tickets', headers, body }))).toBe('E_FORBIDDEN');
  });

  test('one token is for one lock: another profile is forbidden, another lock’s ticket unknown', async () => {
    const token = makeToken(randomBytes);
    const other = { owner: 'db', tokenHash: hashToken(token), lock: 'lockssh', instance: '', profile: 'db' };
    hub.locks.push(other);
    await announce();
    const ticket = sampleTicket();
    await asLock('POST', '/v1/tickets', signTicket(ticket, signing));
    const headers = { ...bearer(), authorization: `Bearer ${token}` };
    const path = `/v1/tickets/${ticket.id}`;
    expect(code(await send({ path, headers }))).toBe('E_UNKNOWN_TICKET');
    const body = JSON.stringify({ state: 'withdrawn' });
    const closing = await send({ method: 'POST', path: `${path}/close`, headers, body });
    expect(code(closing)).toBe('E_UNKNOWN_TICKET');
    expect(code(await announce({ profile: 'db' }))).toBe('E_FORBIDDEN');
    const foreign = signTicket(sampleTicket({ profile: 'db' }), signing);
    expect(code(await asLock('POST', '/v1/tickets', foreign))).toBe('E_FORBIDDEN');
  });

  test('sessions: another key’s challenge, an unknown key, a key that is taken off the list, the end of time', async () => {
    const headers = await openSession(hub.human);
    expect((await send({ path: '/v1/consoles', headers })).status).toBe(200);
    const json = { 'content-type': 'application/json' };
    const challenge = async (key: string): Promise<Answer> =>
      send({
        method: 'POST',
        path: '/v1/session/challenge',
        headers: json,
        body: JSON.stringify({ key }),
      });
    expect(code(await challenge(signing.key))).toBe('E_UNAUTHORIZED');
    const { challenge: text } = (await challenge(hub.auto.key)).body;
    const { key } = hub.human;
    const signature = signCanonical('lockkit hub session v1', { challenge: text, key }, hub.human);
    const body = JSON.stringify({ key, challenge: text, signature });
    expect(code(await send({ method: 'POST', path: '/v1/session', headers: json, body }))).toBe(
      'E_UNAUTHORIZED',
    );
    nowMs += HUB_LIMITS.sessionMs;
    expect(code(await send({ path: '/v1/consoles', headers }))).toBe('E_UNAUTHORIZED');
  });

  test('failed proofs are slowed down for all, requests for each', async () => {
    const many = await Promise.all(
      Array.from({ length: HUB_LIMITS.failuresPerSecond + 5 }, () => send({ path: '/v1/consoles' })),
    );
    expect(many.filter((one) => code(one) === 'E_BUSY')).toHaveLength(5);
    nowMs += 1000;
    const asked: Answer[] = [];
    while (asked.length < HUB_LIMITS.requestsPerSecond + 5)
      asked.push(...(await Promise.all(Array.from({ length: 35 }, () => asLock('GET', '/v1/tickets')))));
    expect(asked.filter((one) => code(one) === 'E_BUSY')).toHaveLength(5);
  });
});

describe('openHubServer: what it takes', () => {
  test('tickets: no console, a wrong signature, over, from the future, twice, another under the id', async () => {
    const ticket = sampleTicket();
    const post = (one: unknown): Promise<Answer> => asLock('POST', '/v1/tickets', one);
    expect(code(await post(signTicket(ticket, signing)))).toBe('E_NO_CONSOLE');
    await announce();
    expect(code(await post(signTicket(ticket, makeSigningKey())))).toBe('E_BAD_SIGNATURE');
    expect((await post(signTicket(ticket, signing))).status).toBe(201);
    expect((await post(signTicket(ticket, signing))).status).toBe(200);
    const other = sampleTicket({ id: ticket.id, risk: 'read' });
    expect(code(await post(signTicket(other, signing)))).toBe('E_DUPLICATE');
    const late = sampleTicket();
    nowMs = Date.parse(late.expires_at);
    expect(code(await post(signTicket(late, signing)))).toBe('E_EXPIRED');
    nowMs = after(-10 * 60_000).getTime();
    expect(code(await post(signTicket(late, signing)))).toBe('E_EXPIRED');
  });

  test('decisions: only those that somebody could accept are recorded', async () => {
    await announce();
    const ticket = sampleTicket({ never_auto: true });
    await asLock('POST', '/v1/tickets', signTicket(ticket, signing));
    const headers = await openSession(hub.auto);
    const decide = async (body: unknown): Promise<unknown> => {
      const path = `/v1/tickets/${ticket.id}/decision`;
      return code(await send({ method: 'POST', path, headers, body: JSON.stringify(body) }));
    };
    expect(await decide({})).toBe('E_BAD_DECISION');
    expect(await decide(sampleDecision(ticket, signing))).toBe('E_UNKNOWN_DECIDER');
    expect(await decide({ ...sampleDecision(ticket, hub.human), signature: 'A'.repeat(86) })).toBe(
      'E_BAD_SIGNATURE',
    );
    expect(await decide(sampleDecision(sampleTicket(), hub.human))).toBe('E_OTHER_TICKET');
    expect(await decide(sampleDecision(ticket, hub.auto))).toBe('E_BAD_ROLE');
    expect(await decide(sampleDecision(ticket, hub.auto, { rule: 'auto.exec' }))).toBe('E_NEVER_AUTO');
    expect(await decide(sampleDecision(ticket, hub.human))).toBe(200);
    expect(await decide(sampleDecision(ticket, hub.human, { verdict: 'denied' }))).toBe('E_NOT_PENDING');
  });

  test('bodies: too large, no JSON, no UTF-8, another type, unknown keys; nothing of them comes back', async () => {
    await announce();
    const post = (body: string | Buffer, headers: object = {}): Promise<Answer> =>
      send({ method: 'POST', path: '/v1/tickets', headers: { ...bearer(), ...headers }, body });
    const huge = await post(Buffer.alloc(HUB_LIMITS.ticketBytes + 1, 0x20));
    expect(['E_TOO_LARGE', 0]).toContain(code(huge));
    const chunked = await post(Buffer.alloc(HUB_LIMITS.ticketBytes + 1, 0x20), {
      'transfer-encoding': 'chunked',
    });
    expect(['E_TOO_LARGE', 0]).toContain(code(chunked));
    for (const body of ['', '{', 'SECRET', '[]', 'null', '{"ticket":{},"signature":"SECRET"}']) {
      const answer = await post(body);
      expect(code(answer)).toBe('E_BAD_REQUEST');
      expect(JSON.stringify(answer.body)).not.toContain('SECRET');
    }
    expect(code(await post(Buffer.from([0x22, 0xff, 0x22])))).toBe('E_BAD_REQUEST');
    expect(code(await post('{}', { 'content-type': 'text/plain' }))).toBe('E_BAD_REQUEST');
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    expect(code(await post(deep))).toBe('E_BAD_REQUEST');
    expect((await asLock('PUT', '/v1/console', {})).status).toBe(400);
    expect(hub.faults).toEqual([]);
  });

  test('paths and queries: unknown ones, climbing ones, numbers that are none', async () => {
    const headers = await openSession(hub.human);
    const paths = {
      '/': 'E_UNKNOWN_PATH',
      '/v1': 'E_UNKNOWN_PATH',
      '/v2/tickets': 'E_UNKNOWN_PATH',
      '/v1/tickets/': 'E_UNKNOWN_PATH',
      '/v1/tickets/constructor': 'E_UNKNOWN_TICKET',
      '/v1/tickets/../consoles': 'E_UNKNOWN_PATH',
      '/v1/tickets/t_0000000000000000': 'E_UNKNOWN_TICKET',
      '/v1/tickets/t_0000000000000000/constructor': 'E_UNKNOWN_PATH',
      '/v1/tickets?state=SECRET': 'E_BAD_REQUEST',
      '/v1/tickets?limit=0': 'E_BAD_REQUEST',
      '/v1/tickets?limit=501': 'E_BAD_REQUEST',
      '/v1/tickets?after=1&before=2': 'E_BAD_REQUEST',
      '/v1/tickets?after=1&after=2': 'E_BAD_REQUEST',
      '/v1/tickets?after=-1': 'E_BAD_REQUEST',
      '/v1/tickets?after=1e3': 'E_BAD_REQUEST',
      '/v1/tickets?x=1': 'E_BAD_REQUEST',
      '/v1/events?after=01': 'E_BAD_REQUEST',
      '/v1/events?after=7': 'E_UNKNOWN_SEQ',
    };
    for (const [path, expected] of Object.entries(paths))
      expect([path, code(await send({ path, headers }))]).toEqual([path, expected]);
    expect(code(await send({ method: 'DELETE', path: '/v1/tickets', headers }))).toBe('E_UNKNOWN_PATH');
  });

  test('close: only as the lock’s states allow, and only known states', async () => {
    await announce();
    const ticket = sampleTicket();
    await asLock('POST', '/v1/tickets', signTicket(ticket, signing));
    const close = async (body: object): Promise<unknown> =>
      code(await asLock('POST', `/v1/tickets/${ticket.id}/close`, body));
    expect(await close({ state: 'approved' })).toBe('E_BAD_REQUEST');
    expect(await close({ state: 'withdrawn', why: 'not a code' })).toBe('E_BAD_REQUEST');
    expect(await close({ state: 'used' })).toBe('E_NOT_PENDING');
    expect(await close({ state: 'withdrawn', why: 'E_LEVEL' })).toBe(200);
    expect(await close({ state: 'used' })).toBe('E_NOT_PENDING');
  });

  test('lists: pages follow one another over everything, in both directions, and stay under their size', async () => {
    await announce();
    const text = 'x'.repeat(100_000);
    const ids: string[] = [];
    const posts = [];
    for (let i = 0; i < 45; i++) {
      const ticket = sampleTicket({ screen: { title: [text], origin: [], sections: [], warnings: [] } });
      ids.push(ticket.id);
      const signed = signTicket(ticket, signing);
      posts.push(hub.store().post({ ...signed, owner: 'web', key: signing.key, now: START, maxWaiting: 99 }));
    }
    await Promise.all(posts);
    const headers = await openSession(hub.human);
    for (const [first, way] of [
      ['after=0', 'after'],
      ['before=999999', 'before'],
    ] as const) {
      const seen: string[] = [];
      for (let query: string | undefined = first; query !== undefined;) {
        const { body } = await send({ path: `/v1/tickets?state=open&limit=500&${query}`, headers });
        expect(JSON.stringify(body).length).toBeLessThan(HUB_LIMITS.pageBytes + 200_000);
        for (const entry of body.entries) seen.push(entry.ticket.id);
        query = body.next === undefined ? undefined : `${way}=${body.next}`;
      }
      expect(seen).toEqual(way === 'after' ? ids : [...ids].reverse());
    }
  });
});
