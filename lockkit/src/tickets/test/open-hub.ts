// A real hub on a Unix socket, and real clients of it, for tests: what lox and a console do, without either.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockFile } from '../../native/kernel.js';
import {
  openDeciderHub,
  type DeciderHub,
  type DeciderHubOptions,
  type DeciderNews,
} from '../client/decider-hub.js';
import { parseHubUrl, type HubAddress } from '../client/hub-address.js';
import { openLockHub, type LockHub, type LockHubNews, type LockHubOptions } from '../client/lock-hub.js';
import type { DeciderRole } from '../decision.js';
import { accessOf, hashToken, makeToken, type LockAccess } from '../hub/access.js';
import { openHubServer, type HubServer } from '../hub/hub-server.js';
import type { HubListen } from '../hub/listen.js';
import { makeSigningKey, type SigningKey } from '../signing.js';
import { openEmbeddedStore } from '../store/embedded-store.js';
import type { TicketStore } from '../store/ticket-store.js';

export const later = (ms: number, call: () => void): (() => void) => {
  const timer = setTimeout(call, ms);
  return () => clearTimeout(timer);
};

export interface TestHub {
  readonly folder: string;
  readonly address: HubAddress;
  readonly url: string;
  readonly token: string;
  readonly human: SigningKey;
  readonly auto: SigningKey;
  readonly faults: string[];
  readonly locks: LockAccess[];
  readonly store: () => TicketStore;
  readonly openLock: (changes?: Partial<LockHubOptions>) => Promise<LockHub & { news: LockHubNews[] }>;
  readonly openDecider: (
    changes?: Partial<DeciderHubOptions>,
  ) => Promise<DeciderHub & { news: DeciderNews[] }>;
  /** Stops the server and the store, as a crash would where `kill` is told. */
  readonly stop: () => Promise<void>;
  readonly start: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface TestHubWishes {
  readonly openStore?: (folder: string) => Promise<TicketStore>;
  readonly listen?: HubListen;
  readonly nowMs?: () => number;
  readonly lock?: Partial<LockAccess>;
}

export async function openTestHub(wishes: TestHubWishes = {}): Promise<TestHub> {
  const folder = mkdtempSync(join(tmpdir(), 'lock-hub-'));
  const [human, auto] = [makeSigningKey(), makeSigningKey()];
  const token = makeToken(randomBytes);
  const deciders = new Map<string, DeciderRole>([
    [human.key, 'human'],
    [auto.key, 'auto'],
  ]);
  const row = { owner: 'web', tokenHash: hashToken(token), lock: 'lockssh', instance: '', profile: 'web' };
  const locks: LockAccess[] = [{ ...row, ...wishes.lock }];
  const ownUid = process.geteuid?.() ?? -1;
  const access = accessOf({ locks, deciders, ownUid });
  const nowMs = wishes.nowMs ?? Date.now;
  const listen = wishes.listen ?? { kind: 'unix', path: join(folder, 'hub.sock') };
  const faults: string[] = [];
  const closers: (() => void)[] = [];
  let [store, server]: [TicketStore | undefined, HubServer | undefined] = [undefined, undefined];
  const start = async (): Promise<void> => {
    const openStore =
      wishes.openStore ?? ((at: string) => openEmbeddedStore({ folder: join(at, 'record'), lock: lockFile }));
    store = await openStore(folder);
    const onFault = (message: string): void => void faults.push(message);
    server = await openHubServer({ listen, access, store, nowMs, randomBytes, later, onFault });
  };
  const stop = async (): Promise<void> => {
    await server?.close();
    await store?.shutDown();
    server = undefined;
  };
  await start();
  const { url } = server as unknown as HubServer;
  const address = parseHubUrl(url) as HubAddress;
  const mayServe = (): boolean => true;
  return {
    folder,
    address,
    url,
    token,
    human,
    auto,
    faults,
    locks,
    store: () => store as TicketStore,
    openLock: async (changes = {}) => {
      const news: LockHubNews[] = [];
      const hub = await openLockHub({
        keyFile: { address, token },
        lock: 'lockssh',
        instance: '',
        profile: 'web',
        version: '0.1.0',
        signing: makeSigningKey(),
        mayServe,
        nowMs,
        later,
        onNews: (one) => void news.push(one),
        ...changes,
      });
      closers.push(hub.shutDown);
      return Object.assign(hub, { news });
    },
    openDecider: async (changes = {}) => {
      const news: DeciderNews[] = [];
      const hub = await openDeciderHub({
        address,
        decider: human,
        mayServe,
        now: () => new Date(nowMs()),
        later,
        onNews: (one) => void news.push(one),
        ...changes,
      });
      closers.push(hub.close);
      return Object.assign(hub, { news });
    },
    stop,
    start,
    close: async () => {
      for (const close of closers) close();
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
