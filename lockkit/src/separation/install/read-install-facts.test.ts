import { describe, expect, test } from 'vitest';
import { account, openMemoryIo, type MemoryMachine } from '../test/memory-io.js';
import { parseInstallOptions } from './install-options.js';
import { LIBRARY_MARK } from './library-mark.js';
import { readInstallFacts } from './read-install-facts.js';

// A lock that no machine has, so that no system.toml of this one is read.
const LOCK = 'nolocksuch';
const ROOT = '/opt/locks';
const product = JSON.stringify({
  name: 'thing',
  bin: { [LOCK]: './bin/thing.cjs' },
  dependencies: { re2: '*' },
});

const files: NonNullable<MemoryMachine['files']> = {
  '/usr/bin/node': '',
  '/bin/bash': '',
  [`${ROOT}/thing/package.json`]: product,
  [`${ROOT}/thing/bin/thing.cjs`]: '',
  [`${ROOT}/thing/dist/main.js`]: '',
  [`${ROOT}/thing/dist/demo/main.js`]: '',
  [`${ROOT}/thing/dist/demo.js`]: '',
  [`${ROOT}/thing/dist/.tsbuildinfo`]: '',
  [`${ROOT}/thing/build/kernel.node`]: '',
  [`${ROOT}/thing/build/kernel.node.stamp`]: '',
  [`${ROOT}/thing/build/test/x`]: '',
  [`${ROOT}/thing/src/main.ts`]: '',
  [`${ROOT}/node_modules/re2/package.json`]: '{"name":"re2"}',
  [`${ROOT}/node_modules/re2/re2.js`]: '',
  [`${ROOT}/node_modules/re2/binding.gyp`]: '',
  [`${ROOT}/node_modules/re2/vendor/a.cc`]: '',
  [`${ROOT}/node_modules/re2/build/Release/re2.node`]: '',
  [`${ROOT}/node_modules/re2/build/Release/obj.target/a.o`]: '',
  '/run/.keep': '',
};
const accounts = [account('alice', 1000), account('agent', 1001), account('bob', 1002)];

function read(
  more: NonNullable<MemoryMachine['files']> = {},
  clients: readonly string[] = ['agent'],
  folder = `${ROOT}/thing`,
) {
  const io = openMemoryIo({ files: { ...files, ...more }, accounts, groups: { sudo: 27 } });
  return readInstallFacts(io, parseInstallOptions(LOCK, { client: clients }), folder);
}

describe('readInstallFacts', () => {
  test('what is built is copied; sources, the demo, tests and build tools stay behind', () => {
    expect(read().program).toMatchObject({
      node: '/usr/bin/node',
      command: 'node_modules/thing/bin/thing.cjs',
      packages: [
        {
          place: 'node_modules/thing',
          entries: ['bin', 'build/kernel.node', 'dist/main.js', 'package.json'],
        },
        { place: 'node_modules/re2', entries: ['package.json', 're2.js', 'build/Release/re2.node'] },
      ],
      isInstalled: false,
      writable: [],
      writers: [],
    });
  });

  test.each<readonly [string, NonNullable<MemoryMachine['files']>, string]>([
    ['a file of the client', { [`${ROOT}/thing/dist/main.js`]: { uid: 1001 } }, 'the client agent'],
    ['a folder above it of the client', { '/opt/': { uid: 1001 } }, 'the client agent'],
    ['Node.js of the client', { '/usr/bin/node': { uid: 1001 } }, 'the client agent'],
    [
      'what everybody can write',
      { [`${ROOT}/node_modules/re2/re2.js`]: { mode: 0o666 } },
      'the client agent',
    ],
    ['what a group can write', { [`${ROOT}/`]: { gid: 50, mode: 0o775 } }, 'the group 50'],
    ['what a group of many can write', { [`${ROOT}/`]: { uid: 1002, gid: 50, mode: 0o775 } }, 'the group 50'],
  ])('refused: %s', (_title, more, who) => {
    expect(read(more).program.writable[0]).toMatchObject({ who });
  });

  test('what everybody can write is refused before there is a client', () => {
    const open = { [`${ROOT}/node_modules/re2/re2.js`]: { mode: 0o666 } };
    expect(read(open, []).program.writable).toMatchObject([{ who: 'every account' }]);
  });

  test('files of an account that is no client are copied, and the account is written down', () => {
    const { program } = read({ [`${ROOT}/`]: { uid: 1002, gid: 1002, mode: 0o775 } });
    expect(program).toMatchObject({ writable: [], writers: [1002] });
  });

  test('an account whose files are installed cannot become a client later', () => {
    const library = `/usr/local/lib/${LOCK}`;
    const installed = {
      [`${library}/${LIBRARY_MARK}`]: 'writer 1002\n',
      [`${library}/node_modules/thing/package.json`]: JSON.stringify({
        name: 'thing',
        bin: { [LOCK]: 'bin/x' },
      }),
    };
    const folder = `${library}/node_modules/thing`;
    expect(read(installed, ['agent'], folder).program).toMatchObject({
      isInstalled: true,
      writable: [],
      writers: [1002],
    });
    expect(read(installed, ['bob'], folder).program.writable).toMatchObject([{ who: 'the client bob' }]);
  });

  test('clients without an account, and what stands in the places of an installation', () => {
    expect(read({}, ['agent', 'ghost'])).toMatchObject({
      unknownClients: ['ghost'],
      starter: 'absent',
      library: 'absent',
    });
    expect(
      read({ [`/usr/local/bin/${LOCK}`]: '#!/bin/sh\n', [`/usr/local/lib/${LOCK}/x`]: '' }),
    ).toMatchObject({
      starter: 'foreign',
      library: 'foreign',
    });
    expect(read({ [`/usr/local/bin/${LOCK}`]: { link: '../lib/x' } })).toMatchObject({ starter: 'link' });
  });
});
