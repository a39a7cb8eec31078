// Makes drive-probe.ts a program that plain Node runs. Used by tests.
import { build } from 'esbuild';
import { lockkitPath } from '../built-program.js';

/** Path of the bundle, in the package's build folder. */
export async function bundleDriver(): Promise<string> {
  const outfile = lockkitPath('build', 'test', `drive-probe-${process.pid}.mjs`);
  await build({
    entryPoints: [lockkitPath('src', 'sandbox', 'test', 'drive-probe.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['source'],
    logLevel: 'error',
  });
  return outfile;
}
