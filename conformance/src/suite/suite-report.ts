// What a suite found, as an object for machines and as text for a person. Called by run-main.
// Sentences may hold words of the lock's output: as text they are printed in visible ASCII only.
import { visible } from '../visible-text.js';
import type { SuiteName } from './read-suite.js';
import type { SuiteOutcome, SuiteResult } from './run-suite.js';

interface Row {
  readonly id: string;
  readonly title: string;
  readonly requirements: readonly string[];
}

export interface SuiteReport {
  readonly suite: SuiteName;
  readonly lock: { readonly name: string; readonly version: string | null };
  /** `level` of a failed case: a SHOULD alone does not fail the run. */
  readonly areas: Readonly<
    Record<
      string,
      {
        readonly passed: readonly string[];
        readonly failed: readonly (Row & { readonly level: 'MUST' | 'SHOULD'; readonly reason: string })[];
        readonly unsupported: readonly { readonly id: string; readonly reason: string }[];
      }
    >
  >;
  readonly requirements: {
    readonly passed: readonly string[];
    readonly failed: readonly string[];
    readonly not_run: readonly string[];
  };
  readonly total: { readonly passed: number; readonly failed: number; readonly unsupported: number };
  /** true: no MUST failed. */
  readonly ok: boolean;
}

type Kind = SuiteResult['verdict']['kind'];

export function suiteReportOf({ suite, lock, results }: SuiteOutcome): SuiteReport {
  const areas = [...new Set(results.map(({ area }) => area))].sort();
  const count = (kind: Kind): number => results.filter(({ verdict }) => verdict.kind === kind).length;
  return {
    suite,
    lock: { name: lock.facts.name, version: lock.version },
    areas: Object.fromEntries(
      areas.map((area) => [area, areaOf(results.filter((one) => one.area === area))]),
    ),
    requirements: requirementsOf(results),
    total: { passed: count('passed'), failed: count('failed'), unsupported: count('unsupported') },
    ok: !results.some(({ level, verdict }) => level === 'MUST' && verdict.kind === 'failed'),
  };
}

function areaOf(results: readonly SuiteResult[]): SuiteReport['areas'][string] {
  return {
    passed: results.filter(({ verdict }) => verdict.kind === 'passed').map(({ id }) => id),
    failed: results.flatMap(({ id, title, requirements, level, verdict }) =>
      verdict.kind === 'failed' ? [{ id, title, requirements, level, reason: verdict.reason }] : [],
    ),
    unsupported: results.flatMap(({ id, verdict }) =>
      verdict.kind === 'unsupported' ? [{ id, reason: verdict.reason }] : [],
    ),
  };
}

/** A requirement fails with its first case that does; it passed only where a case of it ran. */
function requirementsOf(results: readonly SuiteResult[]): SuiteReport['requirements'] {
  const ids = [...new Set(results.flatMap(({ requirements }) => requirements))].sort();
  const has = (id: string, kind: Kind): boolean =>
    results.some(({ requirements, verdict }) => verdict.kind === kind && requirements.includes(id));
  const failed = ids.filter((id) => has(id, 'failed'));
  const passed = ids.filter((id) => !failed.includes(id) && has(id, 'passed'));
  return { passed, failed, not_run: ids.filter((id) => !failed.includes(id) && !passed.includes(id)) };
}

/** What was not run is not called passed. */
function lastLine({ ok, total }: SuiteReport): string {
  if (!ok) return 'a MUST failed';
  return total.unsupported === 0
    ? 'all MUST passed'
    : `no MUST failed; ${String(total.unsupported)} cases could not be run`;
}

export function renderSuiteReport(report: SuiteReport): string {
  const { lock, suite, total, requirements } = report;
  const lines = Object.entries(report.areas).flatMap(([name, area]) => [
    `${name}: ${String(area.passed.length)} passed, ${String(area.failed.length)} failed, ${String(area.unsupported.length)} unsupported`,
    ...area.failed.flatMap(({ id, level, title, reason, requirements: cited }) => [
      `  failed ${level} ${id} (${cited.join(' ')}): ${visible(title)}`,
      `    ${visible(reason)}`,
    ]),
    ...area.unsupported.map(({ id, reason }) => `  unsupported ${id}: ${visible(reason)}`),
  ]);
  return [
    `${suite} of ${visible(lock.name)} ${visible(lock.version ?? '(no version)')}`,
    ...lines,
    `requirements: ${String(requirements.passed.length)} passed, ${String(requirements.failed.length)} failed${requirements.failed.length > 0 ? ` (${requirements.failed.join(' ')})` : ''}, ${String(requirements.not_run.length)} not run`,
    `total: ${String(total.passed)} passed, ${String(total.failed)} failed, ${String(total.unsupported)} unsupported`,
    lastLine(report),
    '',
  ].join('\n');
}
