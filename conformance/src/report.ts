// The results as a report: JSON for machines, text for a person. Called by main.
// Answers come from outside: as text they are printed in ASCII JSON only, so that none can drive a terminal.
import type { Json } from './kind.js';
import type { ReportRow } from './machine-reports.js';
import type { CaseResult } from './run-cases.js';
import { ascii, cut, visible } from './visible-text.js';

export interface AreaReport {
  readonly passed: readonly string[];
  readonly failed: readonly { readonly id: string; readonly got: Json; readonly reason: string }[];
  readonly unsupported: readonly string[];
}

export interface Report {
  readonly areas: Readonly<Record<string, AreaReport>>;
  readonly total: { readonly passed: number; readonly failed: number; readonly unsupported: number };
}

export function reportOf(results: readonly CaseResult[]): Report {
  const names = [...new Set(results.map(({ area }) => area))].sort();
  const areas = names.map((name) => [name, areaReport(results.filter(({ area }) => area === name))] as const);
  return { areas: Object.fromEntries(areas), total: totalOf(results) };
}

function areaReport(results: readonly CaseResult[]): AreaReport {
  return {
    passed: results.filter(({ verdict }) => verdict.kind === 'passed').map(({ id }) => id),
    failed: results.flatMap(({ id, verdict }) =>
      verdict.kind === 'failed' ? [{ id, got: verdict.got, reason: verdict.reason }] : [],
    ),
    unsupported: results.filter(({ verdict }) => verdict.kind === 'unsupported').map(({ id }) => id),
  };
}

function totalOf(results: readonly CaseResult[]): Report['total'] {
  const total = { passed: 0, failed: 0, unsupported: 0 };
  for (const { verdict } of results) total[verdict.kind] += 1;
  return total;
}

/** Text for a person: a line an area, the failed cases with what differs, the ids that were not run. */
export function renderReport(report: Report): string {
  const lines = Object.entries(report.areas).flatMap(([name, area]) => areaLines(name, area));
  const { passed, failed, unsupported } = report.total;
  return [...lines, `total: ${counts(passed, failed, unsupported)}`, ''].join('\n');
}

function areaLines(name: string, area: AreaReport): readonly string[] {
  const head = `${visible(name)}: ${counts(area.passed.length, area.failed.length, area.unsupported.length)}`;
  const failures = area.failed.flatMap(({ id, got, reason }) => [
    `  failed ${visible(id)}: ${visible(reason)}`,
    ...(got === null ? [] : [`    got ${cut(ascii(JSON.stringify(got)))}`]),
  ]);
  const passed = area.passed.length === 0 ? [] : [`  passed ${area.passed.map(visible).join(' ')}`];
  const unsupported =
    area.unsupported.length === 0 ? [] : [`  unsupported ${area.unsupported.map(visible).join(' ')}`];
  return [head, ...passed, ...failures, ...unsupported];
}

function counts(passed: number, failed: number, unsupported: number): string {
  return `${String(passed)} passed, ${String(failed)} failed, ${String(unsupported)} unsupported`;
}

/** For JUnit and TAP. */
export function rowsOf(results: readonly CaseResult[]): readonly ReportRow[] {
  return results.map(({ id, area, verdict }) => ({
    group: area,
    id,
    title: '',
    verdict: verdict.kind,
    reason: reasonOf(verdict),
  }));
}

function reasonOf(verdict: CaseResult['verdict']): string {
  if (verdict.kind === 'failed') return verdict.reason;
  return verdict.kind === 'unsupported' ? 'a kind that was not run' : '';
}
