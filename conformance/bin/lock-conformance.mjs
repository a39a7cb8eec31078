#!/usr/bin/env node
// The command as npm links it. Everything is in dist, which `npm run build` makes.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const main = new URL('../dist/main.js', import.meta.url);
if (existsSync(fileURLToPath(main))) await import(main.href);
else {
  process.stderr.write('lock-conformance is not built: run `npm run build` in the project’s folder\n');
  process.exitCode = 2;
}
