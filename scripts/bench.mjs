// `npm run bench`: every file of bench/, one after the other, on the built packages. Ratios in one run, beside the
// peer that a number is measured against; nothing here is a test. Peers are installed in bench/ when they are missing.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildAll } from './build.mjs';
import { root } from './ensure-installed.mjs';

const folder = join(root, 'bench');
const wanted = process.argv.slice(2);

await buildAll();
if (existsSync(join(folder, 'package.json')) && !existsSync(join(folder, 'node_modules')))
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'], {
    cwd: folder,
    stdio: 'inherit',
  });
for (const file of readdirSync(folder)
  .filter((name) => name.endsWith('.bench.mjs'))
  .sort()) {
  if (wanted.length > 0 && !wanted.some((name) => file.startsWith(name))) continue;
  console.log(`\n== ${file}`);
  execFileSync(process.execPath, [join(folder, file)], { cwd: root, stdio: 'inherit' });
}
