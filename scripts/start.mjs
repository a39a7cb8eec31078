// `npm start`: set-up, build, the guided demo. `npm start -- --answer y` plays the human and prints everything.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { buildAll } from './build.mjs';
import { root } from './ensure-installed.mjs';
import { ensureSystemPackages, explainMissing } from './system-packages.mjs';

const missing = ensureSystemPackages('start');
const needed = missing.filter((name) => name !== 'libqpdf-dev');
if (needed.length > 0) {
  console.error(explainMissing(needed));
  process.exit(1);
}
await buildAll();
const demo = spawnSync(
  process.execPath,
  [join(root, 'lockssh/dist/demo/main.js'), ...process.argv.slice(2)],
  { stdio: 'inherit' },
);
process.exitCode = demo.status ?? 1;
