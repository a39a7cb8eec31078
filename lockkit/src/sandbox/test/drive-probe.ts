// Runs one probe in a process of its own and prints its result: for tests that must kill that process, or start it
// with descriptors left open. Bundled by bundle-driver.ts.
import { openProbeBench } from '../probe/open-probe-bench.js';
import type { ProbeCase } from '../probe/probe-case.js';
import { runProbeInside } from '../probe/run-probe.js';

const probe: ProbeCase = {
  name: 'driven',
  attempt: '',
  steps: process.argv.slice(2),
  expected: '',
  attack: '',
  bare: '',
};
console.log(await runProbeInside({ ...probe, limits: { timeoutMs: 60_000 } }, await openProbeBench()));
