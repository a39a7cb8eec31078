// What a ticket costs: a request that runs at once, against the same request that is asked through the embedded hub,
// decided by an auto rule with a signature, verified, recorded and run; and how long 10,000 waiting tickets take to
// post, to list and to follow. Real console, real sockets, real files. It measures and prints; it asserts nothing.
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// The one that lockkit uses: what is installed beside this file, as part of a peer, is another major.
import { z } from '../node_modules/zod/index.js';
import { runConsole } from 'lockkit/console';
import { accepted, defineLock } from 'lockkit/contract';
import {
  accessOf,
  hashToken,
  makeToken,
  openDeciderHub,
  openEmbeddedStore,
  openHubServer,
  openLockHub,
  parseHubUrl,
} from 'lockkit/hub';
import { lockFile } from 'lockkit/native';
import { defineProfile, field, flag, off } from 'lockkit/policy';
import { socketPath } from 'lockkit/rpc';
import { decideByRules, hashSubject, makeSigningKey, TICKET_LIMITS } from 'lockkit/tickets';

const ROUNDS = Number(process.env.ROUNDS ?? 100);
const WAITING = Number(process.env.WAITING ?? 10_000);
const later = (ms, call) => {
  const timer = setTimeout(call, ms);
  return () => clearTimeout(timer);
};
const uid = process.getuid();

async function timed(call) {
  const from = performance.now();
  const value = await call();
  return { ms: performance.now() - from, value };
}
const at = (list, share) => list.toSorted((a, b) => a - b)[Math.floor((list.length - 1) * share)];
const row = (name, list) => ({
  bench: 'tickets',
  name,
  p50Ms: Math.round(at(list, 0.5) * 10) / 10,
  p95Ms: Math.round(at(list, 0.95) * 10) / 10,
});

// A lock that does nothing: what is left is what every lock pays.
const shape = { input: z.strictObject({ n: z.int(), ticket: z.string().optional() }), output: z.unknown() };
const action = (name) => ({
  name,
  words: [name],
  summary: name,
  description: name,
  flags: [],
  operands: { kind: 'none' },
  mcp: false,
  waits: false,
  readOnly: false,
});
const contract = defineLock({
  name: 'benchlock',
  version: '1',
  protocolMajor: 1,
  summary: 'nothing',
  instructions: [],
  actions: [action('direct'), action('asked')],
  refusals: {},
  exitCodes: {
    ok: 0,
    pending: 1,
    refused: 1,
    denied: 1,
    noAnswer: 1,
    noConsole: 2,
    failed: 1,
    usage: 3,
  },
  loadShapes: async () => ({ direct: shape, asked: shape }),
});
const effect = (kind, n) =>
  accepted({
    kind: 'effect',
    subject: { n },
    needs: [{ kind, rule: 'auto' }],
    risk: 'write',
    record: { n },
    screen: () => ({
      title: ['BENCH · a command'],
      origin: [],
      sections: [
        {
          kind: 'facts',
          facts: [{ label: 'command', value: [{ kind: 'argv', argv: ['true', String(n)] }] }],
        },
      ],
      warnings: [],
    }),
    run: async () => ({ result: { status: 'done' }, record: {} }),
  });
const lockType = {
  contract,
  policy: {
    definition: defineProfile({
      lock: 'benchlock',
      piiKinds: [],
      fields: { exec: field(flag, { heading: 'Commands', order: off, default: true }) },
      groups: {},
    }),
    checkPattern: () => null,
  },
  limits: () => ({ idleTimeoutMs: 3_600_000, maxSessionMs: 3_600_000 }),
  production: () => false,
  openSession: async () => ({
    handlers: { direct: ({ n }) => effect('run', n), asked: ({ n }) => effect('exec', n) },
    status: () => ({}),
    statusLines: () => [],
    policyApproved: () => undefined,
    setUnmask: null,
    lost: new Promise(() => undefined),
    close: async () => undefined,
  }),
};

function openLineClient(path) {
  const socket = createConnection(path);
  let [buffer, settle, id] = ['', undefined, 0];
  socket.on('data', (chunk) => {
    buffer += chunk;
    const end = buffer.indexOf('\n');
    if (end < 0) return;
    const line = buffer.slice(0, end);
    buffer = buffer.slice(end + 1);
    settle(JSON.parse(line));
  });
  const request = (method, params) =>
    new Promise((done) => {
      settle = done;
      socket.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params })}\n`);
    });
  return { request, close: () => socket.end() };
}

async function openHub(folder, profile) {
  const token = makeToken(randomBytes);
  const keys = { auto: makeSigningKey(), human: makeSigningKey() };
  const store = await openEmbeddedStore({ folder: join(folder, 'record'), lock: lockFile });
  const path = join(folder, 'hub.sock');
  const server = await openHubServer({
    listen: { kind: 'unix', path },
    access: accessOf({
      locks: [{ owner: 'bench', tokenHash: hashToken(token), lock: 'benchlock', instance: '', profile }],
      deciders: new Map([
        [keys.auto.key, 'auto'],
        [keys.human.key, 'human'],
      ]),
      ownUid: uid,
    }),
    store,
    nowMs: Date.now,
    randomBytes,
    later,
    onFault: (message) => console.error(message),
  });
  const openDecider = (decider, onNews = () => undefined) =>
    openDeciderHub({
      address: parseHubUrl(server.url),
      decider,
      mayServe: () => true,
      now: () => new Date(),
      later,
      onNews,
    });
  const close = async () => {
    await server.close();
    await store.shutDown();
  };
  return { token, keys, server, openDecider, close };
}

async function openBenchConsole(folder, hub) {
  const root = join(folder, 'project');
  mkdirSync(join(root, '.benchlock'), { recursive: true, mode: 0o700 });
  writeFileSync(join(root, '.benchlock/config.toml'), '[profiles.bench]\n', { mode: 0o600 });
  const demo = {
    socketDir: join(folder, 'run'),
    stateDir: join(folder, 'state'),
    configHome: join(folder, 'config'),
  };
  for (const path of Object.values(demo)) mkdirSync(path, { mode: 0o700 });
  const keyFile = join(folder, 'key.json');
  const { url } = hub.server;
  const deciders = [{ key: hub.keys.auto.key, role: 'auto' }];
  writeFileSync(keyFile, JSON.stringify({ url, token: hub.token, deciders }), { mode: 0o600 });
  const stop = new AbortController();
  const human = {
    ask: async () => ({ kind: 'yes' }),
    show: async () => undefined,
    note: () => undefined,
    onCommand: () => () => undefined,
    gone: new AbortController().signal,
    close: async () => undefined,
  };
  let ended;
  await new Promise((onReady, fail) => {
    const wish = {
      profile: 'bench',
      projectDir: root,
      allowUnmask: false,
      showResults: false,
      allowedUids: [],
    };
    const parts = {
      human,
      uid,
      env: {},
      nowMs: Date.now,
      after: later,
      signal: stop.signal,
      desktopLevel: 1,
    };
    ended = runConsole(lockType, { ...wish, demo, hub: { url, keyFile } }, { ...parts, onReady });
    ended.catch(fail);
  });
  return {
    path: socketPath({ socketDir: demo.socketDir, projectRoot: root, profile: 'bench' }),
    stop: () => (stop.abort(), ended),
  };
}

async function benchOverhead() {
  const folder = mkdtempSync(join(tmpdir(), 'tickets-bench-'));
  const hub = await openHub(folder, 'bench');
  const lock = await openBenchConsole(folder, hub);
  const auto = await hub.openDecider(hub.keys.auto, (news) => {
    if (news.kind !== 'ticket' || news.entry.state !== 'pending') return;
    const { ticket } = news.entry;
    const rules = {
      profile: 'bench',
      production: false,
      fingerprint: ticket.policy_fingerprint,
      auto: { exec: 'auto' },
      never_auto: [],
    };
    const { rule } = decideByRules(ticket, rules);
    void auto.decide(news.entry, { verdict: 'approved', rule });
  });
  const agent = openLineClient(lock.path);
  await agent.request('hello', { protocol_major: 1, client: 'bench' });
  const times = { direct: [], asked: [] };
  for (let n = 0; n < ROUNDS; n++)
    for (const method of ['direct', 'asked']) {
      const { ms, value } = await timed(() => agent.request(method, { n }));
      if (value.result?.status !== 'done') throw new Error(JSON.stringify(value));
      times[method].push(ms);
      // The console takes 20 requests a second from one account.
      await new Promise((done) => setTimeout(done, 55));
    }
  agent.close();
  auto.close();
  await lock.stop();
  await hub.close();
  rmSync(folder, { recursive: true, force: true });
  const overhead = times.asked.map((ms, index) => ms - times.direct[index]);
  return [
    row('a request that runs at once', times.direct),
    row('ask → signed decision by rule → run', times.asked),
    row('overhead of the ticket', overhead),
  ];
}

async function benchWaiting() {
  const folder = mkdtempSync(join(tmpdir(), 'tickets-bench-'));
  const hub = await openHub(folder, 'bench');
  const address = parseHubUrl(hub.server.url);
  const place = { lock: 'benchlock', instance: '', profile: 'bench', version: '1' };
  const common = { mayServe: () => true, nowMs: Date.now, later, onNews: () => undefined };
  const signing = makeSigningKey();
  const lock = await openLockHub({ ...common, ...place, keyFile: { address, token: hub.token }, signing });
  await hub.close();
  lock.shutDown();
  // Straight into the record: the door takes 100 a second from one lock.
  const store = await openEmbeddedStore({ folder: join(folder, 'record'), lock: lockFile });
  const { signTicket } = await import('lockkit/tickets');
  const tickets = Array.from({ length: WAITING }, (_, n) => signTicket(ticketOf(n), signing));
  const post = (signed) =>
    store.post({ ...signed, owner: 'bench', key: signing.key, now: new Date(), maxWaiting: 20_000 });
  const posted = await timed(() => Promise.all(tickets.map(post)));
  await store.shutDown();
  const reopened = await timed(() => openEmbeddedStore({ folder: join(folder, 'record'), lock: lockFile }));
  await reopened.value.shutDown();
  const again = await openHub(folder, 'bench');
  const followed = await timed(() => again.openDecider(again.keys.human));
  const listed = [];
  for (let i = 0; i < 20; i++) listed.push((await timed(() => followed.value.open())).ms);
  const decided = [];
  for (const entry of followed.value.open().slice(0, 20))
    decided.push((await timed(() => followed.value.decide(entry, { verdict: 'denied', rule: 'human' }))).ms);
  followed.value.close();
  await again.close();
  rmSync(folder, { recursive: true, force: true });
  return [
    row(`${WAITING} tickets into the record, all`, [posted.ms]),
    row(`a record of ${WAITING} waiting tickets, opened`, [reopened.ms]),
    row(`${WAITING} waiting tickets read and verified by a decider, all`, [followed.ms]),
    row(`${WAITING} waiting tickets listed by a decider`, listed),
    row(`a decision among ${WAITING} waiting tickets`, decided),
  ];
}

function ticketOf(n) {
  const nowMs = Date.now();
  return {
    v: 1,
    id: `t_${String(n).padStart(16, '0')}`,
    lock: 'benchlock',
    instance: '',
    profile: 'bench',
    kind: 'exec',
    risk: 'write',
    never_auto: true,
    screen: {
      title: ['BENCH · a command outside the rules'],
      origin: [[`requested by uid 1000 · pid ${n}`]],
      sections: [
        {
          kind: 'facts',
          facts: [{ label: 'command', value: [{ kind: 'argv', argv: ['true', String(n)] }] }],
        },
      ],
      warnings: [],
      question: { kind: 'yes_no' },
    },
    subject_hash: hashSubject({ n }),
    policy_fingerprint: hashSubject('policy'),
    peer_uid: 1000,
    audit_head: `1:${'0'.repeat(64)}`,
    created_at: new Date(nowMs).toISOString(),
    expires_at: new Date(nowMs + TICKET_LIMITS.decideMs).toISOString(),
  };
}

for (const line of [...(await benchOverhead()), ...(await benchWaiting())]) console.log(JSON.stringify(line));
