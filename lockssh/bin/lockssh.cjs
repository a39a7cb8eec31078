#!/usr/bin/env node
'use strict';
// The command as npm links it. Everything is in the bundle, which `npm run build` makes.
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const bundle = join(__dirname, '../dist/lockssh.cjs');
if (existsSync(bundle)) require(bundle);
else {
  process.stderr.write('lockssh is not built: run `npm run build` in the project’s folder\n');
  process.exitCode = 3;
}
