// The lock in Python and its broken variants, for the tests: where they are, and a console of one of them.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SuiteWish } from '../run-suite.js';

export const packageFolder = fileURLToPath(new URL('../../..', import.meta.url));

/** A Python that every account can run; undefined: none here. */
export const python = ['/usr/bin/python3', '/usr/local/bin/python3'].find((path) => existsSync(path));

export const secondLock = join(packageFolder, 'second-lock/locknote.py');
export const brokenLock = join(packageFolder, 'broken-locks/broken.py');
export const secondFacts = join(packageFolder, 'second-lock/facts.json');

export interface Variant {
  readonly variant: string;
  readonly suite: SuiteWish['suite'];
  readonly case: string;
  readonly requirement: string;
  readonly about: string;
  readonly facts: string;
}

export function listVariants(): readonly Variant[] {
  if (python === undefined) return [];
  return JSON.parse(execFileSync(python, [brokenLock, '--list'], { encoding: 'utf8' })) as readonly Variant[];
}

export function wishOf(
  lock: readonly string[],
  suite: SuiteWish['suite'],
  more: Partial<SuiteWish> = {},
): SuiteWish {
  return {
    suite,
    lock: [python ?? 'python3', ...lock],
    describe: secondFacts,
    socketPath: null,
    clientEnv: { LOCKNOTE_SOCKET_DIR: '{sockets}' },
    timeoutMs: 20_000,
    only: null,
    folder: packageFolder,
    ...more,
  };
}

export interface RunningConsole {
  readonly socketPath: string;
  readonly stop: () => Promise<void>;
}

/** Resolves when it serves. */
export async function openConsole(lock: readonly string[]): Promise<RunningConsole> {
  const folder = mkdtempSync(join(tmpdir(), 'lock-console-'));
  const socketPath = join(folder, 'console.sock');
  const child = spawn(python ?? 'python3', [...lock, 'console', '--profile', 'web', '--socket', socketPath], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((done) => child.once('close', () => done()));
  await Promise.race([new Promise((ready) => child.stdout.once('data', ready)), ended]);
  return {
    socketPath,
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
