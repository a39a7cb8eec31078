// Where the build has put lockkit's static programs. Called by the kernel probe, the self-test and test set-ups.
// It must never look anywhere but in the package itself, also when this code runs from a bundle elsewhere.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Absolute path inside the lockkit package, found by its name and not by where this file lies. */
export function lockkitPath(...parts: readonly string[]): string {
  return join(dirname(createRequire(import.meta.url).resolve('lockkit/package.json')), ...parts);
}

export const launcherPath = (): string => lockkitPath('build', 'lock-launcher');
export const selfTestPath = (): string => lockkitPath('build', 'lock-self-test');
