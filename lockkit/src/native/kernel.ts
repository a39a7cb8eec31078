// The only file that loads the native helper (lockkit/native/addon.c): peers, accounts, file lock, hardening.
// Called by the console and by the agent's client. Where the helper is missing nothing falls back: it throws.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { UserMistake } from '../contract/fault.js';

/** The process at the other end of a Unix socket, as the kernel recorded it when it connected. */
export interface Peer {
  readonly pid: number;
  readonly uid: number;
  readonly gid: number;
  /** Supplementary groups, the primary one not always among them. */
  readonly gids: readonly number[];
}

export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  readonly gids: readonly number[];
  readonly home: string;
}

interface Addon {
  peer(fd: number): Peer;
  lockFile(fd: number): boolean;
  accountByUid(uid: number): Account | null;
  accountByName(name: string): Account | null;
  groupByName(name: string): number | null;
  harden(): void;
}

let addon: Addon | undefined;

function loadAddon(): Addon {
  if (addon) return addon;
  const require = createRequire(import.meta.url);
  const folder = dirname(require.resolve('lockkit/package.json'));
  try {
    addon = require(join(folder, 'build/kernel.node')) as Addon;
  } catch {
    throw new UserMistake('the native helper is not built: run `npm run build` in the project’s folder');
  }
  return addon;
}

/** Throws when the descriptor is no connected Unix socket. */
export function peerOf(fd: number): Peer {
  return loadAddon().peer(fd);
}

/** true: this process is now the one writer; the lock ends with the descriptor. */
export function lockFile(fd: number): boolean {
  return loadAddon().lockFile(fd);
}

export function accountByUid(uid: number): Account | null {
  return loadAddon().accountByUid(uid);
}

export function accountByName(name: string): Account | null {
  return loadAddon().accountByName(name);
}

export function groupByName(name: string): number | null {
  return loadAddon().groupByName(name);
}

/** No core file, nothing of this process in any dump, no ptrace by its account. Throws when one of them fails. */
export function hardenProcess(): void {
  loadAddon().harden();
}
