import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { meetLock } from './meet-lock.js';
import { packageFolder } from './test/python-lock.js';

const folder = mkdtempSync(join(tmpdir(), 'meet-lock-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A lock as a shell script: `name` is what version says, `adds` the arguments that make a profile. */
function shellLock(file: string, name: string, adds: string): string {
  const path = join(folder, file);
  const version = JSON.stringify({ name, version: '1.2.3', protocol_major: 1 });
  const created = JSON.stringify({ name: 'web', status: 'created', path: '/x' });
  writeFileSync(
    path,
    `#!/bin/sh\n[ "$1" = version ] && echo '${version}' && exit 0\ncase "$*" in ${adds}) echo '${created}' ;; *) exit 9 ;; esac\n`,
  );
  chmodSync(path, 0o755);
  return path;
}

const meet = (path: string) =>
  meetLock({
    lock: [path],
    describe: null,
    locksFolder: join(packageFolder, 'locks'),
    timeoutMs: 20_000,
    needsPlainAccount: false,
  });

test('meetLock: a known name brings its facts', async () => {
  const met = await meet(shellLock('a', 'lockssh', 'never'));
  expect(met).toMatchObject({
    version: '1.2.3',
    unknown: [],
    facts: { name: 'lockssh', exit: { usage: 3 } },
  });
});

test('meetLock: of a lock that nobody described it learns the usage code and the flags that make a profile', async () => {
  const bare = await meet(shellLock('b', 'lockbare', '"profile add "*web'));
  expect(bare).toMatchObject({
    unknown: ['action'],
    facts: { name: 'lockbare', exit: { usage: 9 }, target: [] },
  });
  const alike = await meet(shellLock('c', 'lockalike', '*--host*'));
  expect(alike.unknown).toEqual(['action']);
  expect(alike.facts.target).toContain('--host');
});

test('meetLock: what cannot be learned is said to be unknown', async () => {
  const met = await meet(shellLock('d', 'lockodd', 'never'));
  expect(met.unknown).toEqual(['action', 'target']);
});

test('meetLock: a name that is none is replaced by the program’s', async () => {
  const met = await meet(shellLock('lock-odd.sh', '../x', 'never'));
  expect(met.facts.name).toBe('lockodd');
});
