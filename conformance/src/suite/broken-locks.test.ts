// It catches: every broken lock fails the case that is about its fault, for the requirement that it breaks.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSuite } from './read-suite.js';
import { reachesConsole } from './run-case.js';
import { runSuite } from './run-suite.js';
import { suiteReportOf } from './suite-report.js';
import {
  brokenLock,
  listVariants,
  openConsole,
  packageFolder,
  python,
  type Variant,
  wishOf,
} from './test/python-lock.js';

const variants = listVariants();
const cases = new Map(
  (['verbs', 'socket', 'mcp'] as const).flatMap((suite) =>
    readSuite(join(packageFolder, 'suites'), suite).map((item) => [`${suite}/${item.id}`, item] as const),
  ),
);

/** A case that needs root or a mount is not run elsewhere. */
function canRun({ suite, case: id }: Variant): boolean {
  return process.getuid?.() === 0 || cases.get(`${suite}/${id}`)?.needs === undefined;
}

async function failedOf(variant: Variant) {
  const item = cases.get(`${variant.suite}/${variant.case}`);
  const lock = [brokenLock, variant.variant];
  const console = item?.steps.some(reachesConsole) === true ? await openConsole(lock) : null;
  try {
    const wish = wishOf(lock, variant.suite, {
      only: [variant.case],
      timeoutMs: 8_000,
      socketPath: console?.socketPath ?? null,
      ...(variant.facts === 'locknote' ? {} : { describe: null }),
    });
    return suiteReportOf(await runSuite(wish));
  } finally {
    await console?.stop();
  }
}

test.skipIf(python === undefined)('there are at least 40 broken locks, each of them another', () => {
  expect(variants.length).toBeGreaterThanOrEqual(40);
  expect(variants.filter((one) => !cases.has(`${one.suite}/${one.case}`))).toEqual([]);
});

test.concurrent.each(variants.filter(canRun))(
  'the suite catches $variant ($requirement): $about',
  async (variant) => {
    const report = await failedOf(variant);
    expect(report.total).toMatchObject({ unsupported: 0 });
    expect(report.requirements.failed).toContain(variant.requirement);
    // A SHOULD is told, and fails nobody.
    expect(report.ok).toBe(
      Object.values(report.areas).every(({ failed }) => failed.every(({ level }) => level === 'SHOULD')),
    );
  },
);
