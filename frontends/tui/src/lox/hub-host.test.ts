// The hub of lox for consoles of other accounts: a real process of another account comes in with its own copy of the key
// file, a third account with the same file does not.
import { execFile } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { bundleScript } from 'lockkit/bundle-script';
import { openHubHost, type HubHost } from './hub-host.js';
import type { LockRow } from './lock-list.js';
import { placeIn } from './lox-place.js';

const isRoot = process.getuid?.() === 0;
if (process.env['CI'] === 'true' && !isRoot)
  throw new Error('this test starts processes of other accounts: run it as root');
const [CONSOLE_UID, OTHER_UID] = [65_533, 65_532];

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

describe.skipIf(!isRoot)('openHubHost, shared with other accounts', () => {
  let script: string;
  let folder: string;
  let host: HubHost | undefined;

  beforeAll(async () => {
    script = await bundleScript(join(import.meta.dirname, 'test/console-end.ts'));
    chmodSync(dirname(script), 0o755);
  });

  afterEach(async () => {
    await host?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Copies the key file as that account's human would, and announces a console from there. */
  function announceAs(uid: number, keyFile: string): Promise<string> {
    const home = join(folder, `home-${uid}`);
    const copy = join(home, 'key.json');
    mkdirSync(home);
    copyFileSync(keyFile, copy);
    chmodSync(copy, 0o600);
    for (const path of [home, copy]) chownSync(path, uid, uid);
    return new Promise((resolve) =>
      execFile(
        process.execPath,
        [script, copy, host?.url ?? ''],
        { uid, gid: uid, cwd: '/' },
        (_error, out, err) => resolve(`${out}${err}`.trim()),
      ),
    );
  }

  test('lets the console’s account in, and no other with the same file; nothing is left behind', async () => {
    folder = mkdtempSync(join(tmpdir(), 'lox-shared-'));
    chmodSync(folder, 0o755);
    const place = placeIn(join(folder, 'config'), join(folder, 'state'));
    host = await openHubHost({
      place,
      ownUid: 0,
      isShared: true,
      nowMs: Date.now,
      later,
      onFault: () => undefined,
    });
    const keyFile = host.admit(row, CONSOLE_UID);
    expect(statSync(dirname(keyFile)).mode & 0o777).toBe(0o711);
    expect(await announceAs(CONSOLE_UID, keyFile)).toBe('in');
    expect(await announceAs(OTHER_UID, keyFile)).toMatch(/^out: /);
    await host.close();
    host = undefined;
    expect(existsSync(dirname(keyFile))).toBe(false);
  });
});
