// A TypeScript file as one that node runs, for tests that need a process of their own. The result lies inside
// node_modules, so that packages and the native helper resolve from there as they do for the code itself.
import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const CACHE = join(import.meta.dirname, '../../../node_modules/.cache/lock-test-scripts');

/** Gives the path of the bundle. */
export async function bundleScript(entry: string): Promise<string> {
  mkdirSync(CACHE, { recursive: true });
  const outfile = join(mkdtempSync(join(CACHE, 'script-')), 'script.mjs');
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['source'],
    external: ['blessed', 're2', 'ssh2', 'cpu-features'],
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
  });
  return outfile;
}
