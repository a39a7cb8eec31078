// Builds lockkit/native/addon.c into lockkit/build/kernel.node with the C compiler and Node's own headers.
// Idempotent: nothing happens while the source, the Node version and this script are the same.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** Folder of node_api.h: beside the running Node, or where node-gyp keeps it. */
function findHeaders() {
  const places = [
    resolve(process.execPath, '../../include/node'),
    '/usr/include/node',
    '/usr/local/include/node',
    join(homedir(), '.cache/node-gyp', process.versions.node, 'include/node'),
  ];
  const found = places.find((place) => existsSync(join(place, 'node_api.h')));
  if (found) return found;
  throw new Error(
    'no headers of Node.js found: install them (Debian: libnode-dev; nvm and tarballs ship them)',
  );
}

export function buildAddon() {
  const source = join(root, 'lockkit/native/addon.c');
  const folder = join(root, 'lockkit/build');
  const target = join(folder, 'kernel.node');
  const stamp = createHash('sha256')
    .update(readFileSync(source))
    .update(readFileSync(fileURLToPath(import.meta.url)))
    .update(process.versions.modules + process.arch)
    .digest('hex');
  const stampFile = `${target}.stamp`;
  if (existsSync(target) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return target;
  mkdirSync(folder, { recursive: true });
  const temporary = `${target}.${process.pid}`;
  const flags = [
    '-shared',
    '-fPIC',
    '-O2',
    '-Wall',
    '-Wextra',
    '-Werror',
    '-fstack-protector-strong',
    '-D_FORTIFY_SOURCE=2',
    '-Wl,-z,relro,-z,now',
    '-fvisibility=hidden',
  ];
  execFileSync('cc', [...flags, '-I', findHeaders(), '-o', temporary, source], { stdio: 'inherit' });
  renameSync(temporary, target);
  writeFileSync(stampFile, stamp);
  return target;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(buildAddon());
