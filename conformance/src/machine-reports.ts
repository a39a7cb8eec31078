// JUnit XML and TAP 14 of any run, for build servers. Called by run-main with the rows of a report.
// Both forms are read by other programs: no character of a lock's output may end a line, an element or a comment.
import { ascii } from './visible-text.js';

export interface ReportRow {
  readonly group: string;
  readonly id: string;
  readonly title: string;
  readonly verdict: 'passed' | 'failed' | 'unsupported';
  /** Why it failed or was not run; '' when it passed. */
  readonly reason: string;
}

export function renderJunit(suite: string, rows: readonly ReportRow[]): string {
  const groups = [...new Set(rows.map(({ group }) => group))];
  const inner = groups.flatMap((group) => {
    const mine = rows.filter((row) => row.group === group);
    return [
      `  <testsuite name="${xml(`${suite}.${group}`)}" ${counts(mine)}>`,
      ...mine.map(junitCase),
      '  </testsuite>',
    ];
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${xml(suite)}" ${counts(rows)}>`,
    ...inner,
    '</testsuites>',
    '',
  ].join('\n');
}

function counts(rows: readonly ReportRow[]): string {
  const count = (verdict: ReportRow['verdict']): string =>
    String(rows.filter((row) => row.verdict === verdict).length);
  return `tests="${String(rows.length)}" failures="${count('failed')}" skipped="${count('unsupported')}"`;
}

function junitCase({ group, id, title, verdict, reason }: ReportRow): string {
  const open = `    <testcase classname="${xml(group)}" name="${xml(title === '' ? id : `${id}: ${title}`)}"`;
  if (verdict === 'passed') return `${open}/>`;
  const tag = verdict === 'failed' ? 'failure' : 'skipped';
  return `${open}><${tag} message="${xml(reason)}"/></testcase>`;
}

function xml(text: string): string {
  return ascii(text.replaceAll('\n', ' '))
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

export function renderTap(rows: readonly ReportRow[]): string {
  return ['TAP version 14', `1..${String(rows.length)}`, ...rows.flatMap(tapLines), ''].join('\n');
}

function tapLines({ id, title, verdict, reason }: ReportRow, at: number): readonly string[] {
  const name = `${String(at + 1)} - ${tap(title === '' ? id : `${id}: ${title}`)}`;
  if (verdict === 'passed') return [`ok ${name}`];
  if (verdict === 'unsupported') return [`ok ${name} # SKIP ${tap(reason)}`];
  return [`not ok ${name}`, '  ---', `  reason: ${JSON.stringify(ascii(reason))}`, '  ...'];
}

function tap(text: string): string {
  return ascii(text.replaceAll('\n', ' ')).replaceAll('\\', '\\\\').replaceAll('#', '\\#');
}
