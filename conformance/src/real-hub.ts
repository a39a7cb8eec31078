// A real hub for tests of any lock, as `lox run` would hold it: a socket, a record, a token, two deciders’ keys, the key
// file. Never loaded by a lock.
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  accessOf,
  hashToken,
  makeToken,
  openDeciderHub,
  openEmbeddedStore,
  openHubServer,
  parseHubUrl,
  type DeciderHub,
  type DeciderNews,
  type HubServer,
  type TicketStore,
  type VerifiedEntry,
} from 'lockkit/hub';
import { lockFile } from 'lockkit/native';
import { decideByRules, makeSigningKey, type DeciderRole, type ProfileRules } from 'lockkit/tickets';

const later = (ms: number, call: () => void): (() => void) => {
  const timer = setTimeout(call, ms);
  return () => clearTimeout(timer);
};

export interface TestHub {
  readonly url: string;
  readonly keyFile: string;
  readonly faults: readonly string[];
  readonly openDecider: (role: DeciderRole, onNews?: (news: DeciderNews) => void) => Promise<DeciderHub>;
  /** What lox's auto mode does: decides every waiting ticket that the rules name. */
  readonly openAuto: (rules: () => ProfileRules) => Promise<DeciderHub>;
  readonly stop: () => Promise<void>;
  readonly start: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export async function openTestHub(place: {
  readonly lock: string;
  readonly profile: string;
}): Promise<TestHub> {
  const folder = mkdtempSync(join(tmpdir(), 'lock-hub-'));
  const keys = { human: makeSigningKey(), auto: makeSigningKey() };
  const token = makeToken(randomBytes);
  const access = accessOf({
    locks: [{ owner: 'the lock', tokenHash: hashToken(token), instance: '', ...place }],
    deciders: new Map([
      [keys.human.key, 'human'],
      [keys.auto.key, 'auto'],
    ]),
    ownUid: process.geteuid?.() ?? -1,
  });
  const path = join(folder, 'hub.sock');
  const url = `unix:${path}`;
  const faults: string[] = [];
  let [store, server]: [TicketStore | undefined, HubServer | undefined] = [undefined, undefined];
  const start = async (): Promise<void> => {
    store = await openEmbeddedStore({ folder: join(folder, 'record'), lock: lockFile });
    const onFault = (message: string): void => void faults.push(message);
    const common = { access, store, nowMs: Date.now, randomBytes, later, onFault };
    server = await openHubServer({ listen: { kind: 'unix', path }, ...common });
  };
  const stop = async (): Promise<void> => {
    await server?.close();
    await store?.shutDown();
    [store, server] = [undefined, undefined];
  };
  await start();
  const keyFile = join(folder, 'hub.json');
  const deciders = (['human', 'auto'] as const).map((role) => ({ key: keys[role].key, role }));
  writeFileSync(keyFile, JSON.stringify({ url, token, deciders }), { mode: 0o600 });
  chmodSync(folder, 0o700);
  const opened: DeciderHub[] = [];
  const openDecider: TestHub['openDecider'] = async (role, onNews = () => undefined) => {
    const hub = await openDeciderHub({
      address: parseHubUrl(url) as NonNullable<ReturnType<typeof parseHubUrl>>,
      decider: keys[role],
      mayServe: () => true,
      now: () => new Date(),
      later,
      onNews,
    });
    opened.push(hub);
    return hub;
  };
  return {
    url,
    keyFile,
    faults,
    openDecider,
    openAuto: async (rules) => {
      let hub: DeciderHub | undefined = undefined;
      const look = (entry: VerifiedEntry): void => {
        const verdict = decideByRules(entry.ticket, rules());
        if (entry.state !== 'pending' || verdict.kind === 'ask') return;
        const { kind, rule } = verdict;
        void hub?.decide(entry, { verdict: kind === 'approve' ? 'approved' : 'denied', rule });
      };
      hub = await openDecider('auto', (news) => (news.kind === 'ticket' ? look(news.entry) : undefined));
      return hub;
    },
    stop,
    start,
    close: async () => {
      for (const hub of opened) hub.close();
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
