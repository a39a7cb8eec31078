import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderJunit, renderTap, type ReportRow } from './machine-reports.js';

const rows: readonly ReportRow[] = [
  { group: 'a', id: 'one', title: 'it works', verdict: 'passed', reason: '' },
  { group: 'a', id: 'two', title: 'a <b> & "c"', verdict: 'failed', reason: 'x < y' },
  { group: 'b', id: 'three', title: '', verdict: 'unsupported', reason: 'needs # root' },
];

test('renderJunit: a suite a group, failures and skips counted and told', () => {
  const text = renderJunit('verbs', rows);
  expect(text).toContain('<testsuites name="verbs" tests="3" failures="1" skipped="1">');
  expect(text).toContain(
    '<testcase classname="a" name="two: a &lt;b&gt; &amp; &quot;c&quot;"><failure message="x &lt; y"/></testcase>',
  );
  expect(text).toContain('<testcase classname="b" name="three"><skipped message="needs # root"/></testcase>');
});

test('renderTap: a plan, a line a case, the reason of a failure', () => {
  expect(renderTap(rows).split('\n')).toEqual([
    'TAP version 14',
    '1..3',
    'ok 1 - one: it works',
    'not ok 2 - two: a <b> & "c"',
    '  ---',
    '  reason: "x < y"',
    '  ...',
    'ok 3 - three # SKIP needs \\# root',
    '',
  ]);
});

const hostile = fc.record({
  group: fc.string({ unit: 'binary' }),
  id: fc.string({ unit: 'binary' }),
  title: fc.string({ unit: 'binary' }),
  verdict: fc.constantFrom('passed', 'failed', 'unsupported') as fc.Arbitrary<ReportRow['verdict']>,
  reason: fc.string({ unit: 'binary' }),
});

test('reports: no text of a lock can ever add a line, an element or a control character', () => {
  fc.assert(
    fc.property(fc.array(hostile, { maxLength: 6 }), (many) => {
      const failed = many.filter(({ verdict }) => verdict === 'failed').length;
      const tap = renderTap(many);
      expect(tap.split('\n')).toHaveLength(3 + many.length + failed * 3);
      const junit = renderJunit('x', many);
      expect(junit.match(/<testcase /g) ?? []).toHaveLength(many.length);
      for (const text of [tap, junit]) expect(text).toMatch(/^[\x20-\x7e\n]*$/u);
    }),
    { numRuns: 200 },
  );
});
