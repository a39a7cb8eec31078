// `npm test`: set-up, build, style, all suites. The last line counts them: `N passed, N failed, N skipped`.
// With CI=true a real part that is missing fails; elsewhere what needs it is skipped and counted as skipped.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildAll } from './build.mjs';
import { root } from './ensure-installed.mjs';
import { ensureSystemPackages, explainMissing } from './system-packages.mjs';

const inCi = process.env.CI === 'true';

function run(title, command, args, env = process.env) {
  console.log(`\n== ${title}`);
  return spawnSync(command, args, { cwd: root, stdio: 'inherit', env }).status === 0;
}

/** Each check of the house counts as one test. */
function checkHouse(counts) {
  const node = process.execPath;
  const checks = [
    ['types of the tests', node, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.test.json']],
    ['lint', node, ['node_modules/oxlint/bin/oxlint', '--deny-warnings']],
    ['format', node, ['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level=warn', '.']],
    ['dead code', node, ['node_modules/knip/bin/knip.js']],
  ];
  for (const [title, command, args] of checks) counts[run(title, command, args) ? 'passed' : 'failed']++;
}

// These install a lock into the machine's real places, which other tests read: each has the machine to itself.
const ALONE = 'two-accounts.e2e.test.ts';

function runVitest(counts, title, more) {
  const folder = mkdtempSync(join(tmpdir(), 'locks-test-'));
  const report = join(folder, 'report.json');
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=dot',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ];
  const ok = run(title, process.execPath, [...args, ...more]);
  try {
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, numFailedTestSuites } = JSON.parse(
      readFileSync(report, 'utf8'),
    );
    counts.passed += numPassedTests;
    counts.skipped += numPendingTests + numTodoTests;
    // A file that does not even load fails no test of its own; it must not be lost.
    counts.failed += Math.max(numFailedTests, ok ? 0 : 1, numFailedTests === 0 ? numFailedTestSuites : 0);
  } catch {
    counts.failed++;
  }
  rmSync(folder, { recursive: true, force: true });
}

function runCases(counts) {
  const args = ['conformance/bin/lock-conformance.mjs', 'cases', 'conformance/cases', '--json'];
  console.log('\n== field cases');
  const { stdout } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 256 << 20,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const { areas, total } = JSON.parse(stdout);
    for (const [area, { passed, failed, unsupported }] of Object.entries(areas))
      console.log(
        `${area}: ${passed.length} passed, ${failed.length} failed, ${unsupported.length} told in words (named tests)`,
      );
    for (const { failed } of Object.values(areas)) for (const { id } of failed) console.log(`failed: ${id}`);
    counts.passed += total.passed;
    counts.failed += total.failed;
  } catch {
    console.error('the conformance run gave no report');
    counts.failed++;
  }
}

const missing = ensureSystemPackages('test');
if (missing.length > 0)
  console.error(
    `${explainMissing(missing)}\n${inCi ? 'In CI this is a failure.' : 'Tests that need them are skipped.'}`,
  );
const counts = { passed: 0, failed: inCi ? missing.length : 0, skipped: 0 };
await buildAll();
if (process.argv.length === 2) checkHouse(counts);
const wanted = process.argv.slice(2);
if (wanted.length > 0) runVitest(counts, 'tests', wanted);
else {
  runVitest(counts, 'tests', ['--exclude', `**/${ALONE}`]);
  runVitest(counts, 'tests of an installed lock', [ALONE, '--no-file-parallelism']);
}
if (process.argv.length === 2) runCases(counts);
console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exitCode = counts.failed === 0 ? 0 : 1;
