#!/usr/bin/env node
// The command as npm links it; `npm run build` makes what it loads.
import { existsSync } from 'node:fs';

const main = new URL('../dist/lox/main.js', import.meta.url);
if (existsSync(main)) await import(main.href);
else {
  process.stderr.write('lox is not built: run `npm run build` in the project’s folder\n');
  process.exitCode = 3;
}
