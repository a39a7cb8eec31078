import { describe, expect, test } from 'vitest';
import { listPackages } from './program-packages.js';
import { readProgram } from './read-program.js';
import { mayWrite, isRootOnly } from './trusted-path.js';
import { openMemoryIo, type MemoryMachine } from './test/memory-io.js';

const manifest = (
  name: string,
  dependencies: readonly string[] = [],
  optional: readonly string[] = [],
): string =>
  JSON.stringify({
    name,
    dependencies: Object.fromEntries(dependencies.map((one) => [one, '*'])),
    optionalDependencies: Object.fromEntries(optional.map((one) => [one, '*'])),
  });

const clone = {
  '/src/locks/lockssh/package.json': manifest('@lockkit/lockssh', ['lockkit', 'ssh2']),
  '/src/locks/lockkit/package.json': manifest('lockkit', ['zod', 're2']),
  '/src/locks/lockkit/node_modules/zod/package.json': manifest('zod'),
  '/src/locks/node_modules/@lockkit/lockssh': { link: '../../lockssh' },
  '/src/locks/node_modules/lockkit': { link: '../lockkit' },
  '/src/locks/node_modules/zod/package.json': manifest('zod'),
  '/src/locks/node_modules/ssh2/package.json': manifest('ssh2', ['zod'], ['cpu-features']),
  '/src/locks/node_modules/re2/package.json': manifest('re2', ['node-gyp', 'nan']),
};

const places = (files: MemoryMachine['files'], folder: string) =>
  listPackages(openMemoryIo({ files: files ?? {} }), folder).map(({ place, folder: from }) => [place, from]);

describe('listPackages', () => {
  test('a clone: links to packages of the clone, each dependency where Node finds it', () => {
    expect(places(clone, '/src/locks/node_modules/@lockkit/lockssh')).toEqual([
      ['node_modules/@lockkit/lockssh', '/src/locks/lockssh'],
      ['node_modules/lockkit', '/src/locks/lockkit'],
      ['node_modules/ssh2', '/src/locks/node_modules/ssh2'],
      ['node_modules/lockkit/node_modules/zod', '/src/locks/lockkit/node_modules/zod'],
      ['node_modules/re2', '/src/locks/node_modules/re2'],
      ['node_modules/zod', '/src/locks/node_modules/zod'],
    ]);
  });

  test('npm install -g: everything below the package keeps its place', () => {
    const root = '/usr/lib/node_modules/@lockkit/lockssh';
    const files = {
      [`${root}/package.json`]: manifest('@lockkit/lockssh', ['lockkit']),
      [`${root}/node_modules/lockkit/package.json`]: manifest('lockkit', ['zod']),
      [`${root}/node_modules/zod/package.json`]: manifest('zod'),
    };
    expect(places(files, root)).toEqual([
      ['node_modules/@lockkit/lockssh', root],
      ['node_modules/@lockkit/lockssh/node_modules/lockkit', `${root}/node_modules/lockkit`],
      ['node_modules/@lockkit/lockssh/node_modules/zod', `${root}/node_modules/zod`],
    ]);
  });

  test('an installed copy lists itself the same way', () => {
    const root = '/usr/local/lib/lockssh/node_modules';
    const files = {
      [`${root}/@lockkit/lockssh/package.json`]: manifest('@lockkit/lockssh', ['lockkit']),
      [`${root}/lockkit/package.json`]: manifest('lockkit'),
    };
    expect(places(files, `${root}/@lockkit/lockssh`).map(([place]) => place)).toEqual([
      'node_modules/@lockkit/lockssh',
      'node_modules/lockkit',
    ]);
  });

  test.each([
    ['a dependency that is missing', { '/p/package.json': manifest('p', ['gone']) }],
    ['a manifest that does not parse', { '/p/package.json': '{' }],
    ['a name that climbs', { '/p/package.json': manifest('../../etc') }],
    ['no manifest', { '/p/x': '' }],
  ])('%s: UserMistake', (_title, files) => {
    expect(() => places(files, '/p')).toThrow(expect.objectContaining({ name: 'UserMistake' }));
  });
});

describe('readProgram', () => {
  const read = (more: MemoryMachine['files']) =>
    readProgram(openMemoryIo({ files: { '/usr/bin/node': '', ...clone, ...more } }), '/src/locks/lockssh');

  test('root owns it all: nothing is unsafe', () => {
    expect(read({})).toMatchObject({ unsafeCount: 0 });
  });

  test.each<readonly [string, MemoryMachine['files']]>([
    ['a file of a package', { '/src/locks/node_modules/ssh2/lib/client.js': { uid: 1000 } }],
    ['a folder of a package', { '/src/locks/node_modules/ssh2/lib/': { mode: 0o777 } }],
    ['the folder of all packages', { '/src/locks/node_modules/': { gid: 100, mode: 0o775 } }],
    ['a folder far above', { '/src/': { uid: 1000 } }],
    ['Node.js', { '/usr/bin/node': { uid: 1000, mode: 0o755 } }],
    ['Node.js’s folder', { '/usr/bin/': { mode: 0o757 } }],
    ['a nested dependency', { '/src/locks/lockkit/node_modules/zod/index.js': { mode: 0o666 } }],
  ])('unsafe: %s', (_title, more) => {
    expect(read(more).unsafeCount).toBeGreaterThan(0);
  });
});

describe('mayWrite and isRootOnly', () => {
  const agent = { uid: 1000, gid: 1000, gids: [1000, 991] };
  const fact = (uid: number, gid: number, mode: number, kind: 'file' | 'folder' = 'file') => ({
    path: '/x',
    kind,
    uid,
    gid,
    mode,
  });

  test.each([
    ['its own, even read-only', fact(1000, 0, 0o400), true],
    ['by a group', fact(0, 991, 0o664), true],
    ['a group that only reads', fact(0, 991, 0o644), false],
    ['another group', fact(0, 5, 0o664), false],
    ['everybody', fact(0, 0, 0o666), true],
    ['root’s in a sticky folder', fact(0, 0, 0o1777, 'folder'), false],
    ['a sticky folder of its own', fact(1000, 0, 0o1777, 'folder'), true],
    ['root’s', fact(0, 0, 0o755), false],
  ])('%s: %s', (_title, entry, expected) => {
    expect(mayWrite(agent, entry)).toBe(expected);
    if (expected) expect(isRootOnly(entry)).toBe(false);
  });
});
