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
const DEMOS = ['lockssh', ...(missing.length === 0 ? ['lockfile'] : [])];
for (const name of DEMOS) {
  console.log(`\n=== ${name} ===\n`);
  const demo = spawnSync(
    process.execPath,
    [join(root, name, 'dist/demo/main.js'), ...process.argv.slice(2)],
    { stdio: 'inherit' },
  );
  if (demo.status !== 0) process.exit(demo.status ?? 1);
}
