#!/usr/bin/env node
'use strict';
// The command as npm links it. Everything is in the bundle, which `npm run build` makes.
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const bundle = join(__dirname, '../dist/lockfile.cjs');
if (existsSync(bundle)) require(bundle);
else {
  process.stderr.write('lockfile is not built: run `npm run build` in the project’s folder\n');
  process.exitCode = 64;
}
