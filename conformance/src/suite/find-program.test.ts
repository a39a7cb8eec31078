import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { resolveCommand } from './find-program.js';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'find-program-')));
afterAll(() => rmSync(folder, { recursive: true }));
mkdirSync(join(folder, 'bin'));
writeFileSync(join(folder, 'bin/lock'), '#!/bin/sh\n');
chmodSync(join(folder, 'bin/lock'), 0o755);
writeFileSync(join(folder, 'bin/plain'), '');
writeFileSync(join(folder, 'lock.py'), '');
const place = { cwd: folder, path: `${join(folder, 'bin')}:/nowhere` };

test.each([
  ['a path from here', './bin/lock', [join(folder, 'bin/lock')]],
  ['a name on PATH', 'lock --flag', [join(folder, 'bin/lock'), '--flag']],
  ['an absolute path', `${folder}/bin/lock`, [join(folder, 'bin/lock')]],
  ['a script behind the program', 'lock lock.py x', [join(folder, 'bin/lock'), join(folder, 'lock.py'), 'x']],
  ['quotes', `lock 'a b' "c"`, [join(folder, 'bin/lock'), 'a b', 'c']],
])('resolveCommand: %s', (_name, command, words) => expect(resolveCommand(command, place)).toEqual(words));

test.each([
  ['a name that is nowhere', 'nolock'],
  ['a file that is not executable', './bin/plain'],
  ['a folder', './bin'],
  ['nothing', '  '],
  ['an open quote', "lock 'x"],
])('resolveCommand: %s is a mistake of whoever typed it', (_name, command) => {
  expect(() => resolveCommand(command, place)).toThrowError(expect.objectContaining({ name: 'UserMistake' }));
});
