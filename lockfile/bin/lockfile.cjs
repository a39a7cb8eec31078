#!/usr/bin/env node
'use strict';
// The command as npm links it. `version --json`, which launchers and hooks call, is answered here; everything else
// is in the bundle, which `npm run build` makes.
const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const dist = join(__dirname, '../dist');
if (!existsSync(join(dist, 'lockfile.cjs'))) {
  process.stderr.write('lockfile is not built: run `npm run build` in the project’s folder\n');
  process.exitCode = 64;
} else if (process.argv[2] === 'version' && process.argv[3] === '--json' && process.argv.length === 4) {
  process.stdout.write(readFileSync(join(dist, 'version.json'), 'utf8'));
} else require(join(dist, 'lockfile.cjs'));
