// npm packages of the lock file, installed when they are not there yet. Uses nothing but Node itself, because it
// runs before there is anything else.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

export function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new Error(`Node.js 20.19 or later is needed; this is ${process.versions.node}`);
}

export function ensureInstalled() {
  checkNode();
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const stamp = join(root, 'node_modules/.installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  const isFresh = !existsSync(join(root, 'node_modules'));
  console.log(`installing npm packages${isFresh ? ' (re2 is compiled: about 3 minutes)' : ''} …`);
  // What is there is kept when only some packages changed: a clean install would compile everything again.
  const command = isFresh ? 'ci' : 'install';
  execFileSync('npm', [command, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
  });
  writeFileSync(stamp, wanted);
}
