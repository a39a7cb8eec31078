// What lockfile says about itself to the commands that set it up and look after it.
import { fileURLToPath } from 'node:url';
import { openSetup } from '@lockkit/cli/setup';
import { probeKernel } from 'lockkit/sandbox';
import type { DoctorCheck } from 'lockkit/separation';
import { lockfileContract } from '../contract/lockfile-contract.js';
import { lockfilePolicy } from './policy-parts.js';

/** Without a sandbox no plugin runs: the console would refuse to start. */
function sandboxChecks(): readonly DoctorCheck[] {
  const report = probeKernel();
  if (report.kind === 'usable')
    return [
      { id: 'sandbox', state: 'ok', detail: `plugins are held (Landlock ${String(report.landlockAbi)})` },
    ];
  return report.problems.map(({ code, reason }) => ({
    id: `sandbox:${code}`,
    state: 'fail',
    detail: reason,
    fix: 'see docs/sandbox.md for what the kernel must offer',
  }));
}

export const lockfileSetup = openSetup({
  contract: lockfileContract,
  policy: lockfilePolicy,
  productFolder: fileURLToPath(new URL('../..', import.meta.url)),
  // A plugin can write into its own argv, which any account may read in /proc.
  needsHiddenProcesses: true,
  ownChecks: [sandboxChecks],
  rulesOf: ({ production, auto }) => ({ production, auto, neverAuto: [] }),
});
