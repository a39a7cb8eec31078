// The official plugins and a kernel for tests: built once into the build folder, then reused.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { probeKernel, type UsableKernel } from 'lockkit/sandbox';
// @ts-expect-error a build script, not part of any package
import { buildLauncher } from '../../../scripts/build-launcher.mjs';
// @ts-expect-error a build script, not part of any package
import { buildPlugins } from '../../../scripts/build-plugins.mjs';

const BUILD_DIR = fileURLToPath(new URL('../../build/plugins', import.meta.url));

export interface BuiltPlugin {
  readonly name: string;
  readonly dir: string;
}

export function builtPlugins(): readonly BuiltPlugin[] {
  return (buildPlugins as (dir: string) => { built: BuiltPlugin[] })(BUILD_DIR).built;
}

export function usableKernel(): UsableKernel {
  (buildLauncher as () => void)();
  const report = probeKernel();
  if (report.kind !== 'usable') throw new Error(report.problems.map(({ reason }) => reason).join('; '));
  return report;
}

/** A folder of its own, removed by the returned function. */
export function scratchDir(): { readonly dir: string; readonly remove: () => void } {
  const dir = mkdtempSync(join(tmpdir(), 'lockfile-test-'));
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}
