// First contact with the lock under test: who it says it is, which facts hold for it, and whether an account that is
// not root can run it. Called once by run-suite. A lock that fails here is still held against every case.
import { basename } from 'node:path';
import { openCleanHome, PLAIN_UID } from './clean-home.js';
import { parseJson } from './check-expectation.js';
import {
  allLockFacts,
  findLockFacts,
  NO_TARGET,
  plainFacts,
  readLockFacts,
  type LockFacts,
} from './lock-facts.js';
import { runCommand } from './run-command.js';
import { isObject } from './shape.js';

export interface MetLock {
  readonly facts: LockFacts;
  /** What `version --json` said, or null. */
  readonly version: string | null;
  readonly plainUid: number | undefined | null;
  /** What is not known of this lock: cases that need it cannot be run. */
  readonly unknown: readonly ('target' | 'action')[];
}

export interface MeetSetting {
  readonly lock: readonly [string, ...string[]];
  /** --describe, or null. */
  readonly describe: string | null;
  /** conformance/locks. */
  readonly locksFolder: string;
  readonly timeoutMs: number;
  readonly needsPlainAccount: boolean;
}

export async function meetLock(setting: MeetSetting): Promise<MetLock> {
  const own = await ask(setting, undefined, ['version', '--json']);
  const { name, version } = isObject(own.json) ? own.json : {};
  const said =
    typeof name === 'string' && /^[a-z][a-z0-9]{1,31}$/.test(name) ? name : programName(setting.lock);
  const known =
    setting.describe === null ? findLockFacts(setting.locksFolder, said) : readLockFacts(setting.describe);
  return {
    ...(known === undefined ? await guessFacts(setting, said) : { facts: known, unknown: [] }),
    version: typeof version === 'string' ? version : null,
    plainUid: setting.needsPlainAccount ? await plainAccount(setting, own.exit) : null,
  };
}

/** A lock that nobody described: its usage code, and the first known flags with which it makes a profile. */
async function guessFacts(setting: MeetSetting, name: string): Promise<Pick<MetLock, 'facts' | 'unknown'>> {
  const usage = await usageOf(setting);
  for (const target of [NO_TARGET, ...allLockFacts(setting.locksFolder)]) {
    const argv = ['profile', 'add', '--non-interactive', '--json', '--profile', 'web', ...target.target];
    const { exit, json } = await ask(setting, undefined, argv);
    if (exit === 0 && isObject(json) && json['status'] === 'created')
      return { facts: plainFacts(name, usage, target), unknown: ['action'] };
  }
  return { facts: plainFacts(name, usage, NO_TARGET), unknown: ['action', 'target'] };
}

function programName(lock: readonly string[]): string {
  const script = lock.findLast((word) => word.startsWith('/')) ?? '';
  const name = basename(script)
    .toLowerCase()
    .replace(/\.[a-z]+$/, '')
    .replace(/[^a-z0-9]/g, '');
  return /^[a-z][a-z0-9]{1,31}$/.test(name) ? name : 'lock';
}

/** What a lock that nobody described ends with when the command is none; 64 where that tells nothing. */
async function usageOf(setting: MeetSetting): Promise<number> {
  const { exit } = await ask(setting, undefined, ['no-such-command']);
  return exit === null || exit < 2 ? 64 : exit;
}

/** Where the suite is not root its own account is the plain one. */
async function plainAccount(
  setting: MeetSetting,
  ownExit: number | null,
): Promise<number | undefined | null> {
  if (process.getuid?.() !== 0) return undefined;
  const { exit } = await ask(setting, PLAIN_UID, ['version', '--json']);
  return exit === ownExit ? PLAIN_UID : null;
}

async function ask({ lock, timeoutMs }: MeetSetting, uid: number | undefined, argv: readonly string[]) {
  const home = openCleanHome({ given: undefined, uid, fill: (_places, text) => text });
  try {
    const { exit, stdout } = await runCommand({
      words: [...lock, ...argv],
      cwd: home.project,
      env: home.env,
      stdin: 'none',
      timeoutMs,
      ...(uid === undefined ? {} : { uid }),
    });
    return { exit, json: parseJson(stdout.toString('utf8')) };
  } finally {
    home.remove();
  }
}
