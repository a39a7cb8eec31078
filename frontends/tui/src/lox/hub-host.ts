// The hub inside lox: its record, its server, the two deciders' keys, one token for each console (docs/hub-protocol.md).
// Opened by run-lox.ts. The signing keys are made in memory here and never leave this process.
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { replaceFile } from 'lockkit/config';
import {
  accessOf,
  hashToken,
  makeToken,
  openEmbeddedStore,
  openHubServer,
  parseHubUrl,
  type HubAddress,
  type LockAccess,
} from 'lockkit/hub';
import { lockFile } from 'lockkit/native';
import { makeSigningKey, type DeciderRole, type SigningKey } from 'lockkit/tickets';
import { rowId, type LockRow } from './lock-list.js';
import type { LoxPlace } from './lox-place.js';

export interface HubHost {
  readonly url: string;
  readonly address: HubAddress;
  readonly human: SigningKey;
  readonly auto: SigningKey;
  /** Lets the console in that runs in this account; gives the path of its key file. */
  readonly admit: (row: LockRow, uid: number) => string;
  readonly close: () => Promise<void>;
}

export interface HubHostOptions {
  readonly place: LoxPlace;
  readonly ownUid: number;
  /** Consoles of other accounts come in too: the socket lies where they can reach it. */
  readonly isShared: boolean;
  readonly nowMs: () => number;
  readonly later: (ms: number, call: () => void) => () => void;
  readonly onFault: (message: string) => void;
}

/** Throws UserMistake when another lox runs, or the record is damaged. */
export async function openHubHost(options: HubHostOptions): Promise<HubHost> {
  const { place, ownUid, isShared, nowMs, later, onFault } = options;
  mkdirSync(place.runDir, { recursive: true, mode: 0o700 });
  const store = await openEmbeddedStore({ folder: place.recordDir, lock: lockFile });
  const [human, auto] = [makeSigningKey(), makeSigningKey()];
  const deciders = new Map<string, DeciderRole>([
    [human.key, 'human'],
    [auto.key, 'auto'],
  ]);
  const locks: LockAccess[] = [];
  const folder = isShared ? makeSharedFolder() : place.runDir;
  const path = isShared ? join(folder, 'hub.sock') : place.hubSocket;
  const listen = { kind: 'unix', path, mode: isShared ? 0o666 : 0o600 } as const;
  const access = accessOf({ locks, deciders, ownUid });
  const server = await openHubServer({ listen, access, store, nowMs, randomBytes, later, onFault });
  const { url } = server;
  return {
    url,
    address: parseHubUrl(url) as HubAddress,
    human,
    auto,
    admit: (row, uid) => {
      const token = makeToken(randomBytes);
      const { lock, instance, profile } = row;
      locks.push({ owner: rowId(row), tokenHash: hashToken(token), lock, instance, profile, uid });
      const keys = [...deciders].map(([key, role]) => ({ key, role }));
      const text = `${JSON.stringify({ url, token, deciders: keys })}\n`;
      return writeKeyFile(uid === ownUid ? place.runDir : folder, rowId(row), text, uid === ownUid);
    },
    close: async () => {
      await server.close();
      await store.shutDown();
      if (isShared) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Others may pass through it to what they know by name; nobody but this account writes in it. */
function makeSharedFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lox-'));
  chmodSync(folder, 0o711);
  return folder;
}

/** Another account copies its file to itself. What it holds is of use to that account alone: the hub checks who comes. */
function writeKeyFile(folder: string, id: string, text: string, isOwn: boolean): string {
  const path = join(folder, `${id}.json`);
  if (isOwn) replaceFile(path, Buffer.from(text), 0o600);
  else {
    writeFileSync(path, text, { mode: 0o644, flag: 'wx' });
    chmodSync(path, 0o644);
  }
  return path;
}
