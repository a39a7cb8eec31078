// Our own kits against the cases that ship: nothing may fail, and what cannot be run is told in words.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadKinds } from './areas.js';
import { readCaseFiles } from './case-files.js';
import { applyJudgement, readJudgements } from './judgements.js';
import { ownAdapter } from './own-adapter.js';
import { runCases } from './run-cases.js';

const near = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const TOLD_IN_WORDS =
  /^(behaviour|audit|login_shell|exec_request|mcp|mcp_text|type_ahead|limit|file|sandbox)$/;

const set = readCaseFiles([join(near('../cases'))]);
const judgements = readJudgements(near('../judgements.json'));
const cases = set.cases.map((item) => applyJudgement(judgements, item));
const areas = [...new Set(cases.map(({ area }) => area))];

test('the cases that ship are well formed', () => {
  expect(set.bad).toEqual([]);
});

test('every judgement overrules a case that ships', () => {
  const ids = new Set(cases.map(({ id }) => id));
  expect([...judgements.keys()].filter((id) => !ids.has(id))).toEqual([]);
});

test.each(areas)(
  'area %s: our kit fails no case and runs every kind that is not told in words',
  async (area) => {
    const loaded = await loadKinds();
    const mine = { cases: cases.filter((item) => item.area === area), bad: [] };
    const results = await runCases(mine, loaded, ownAdapter(loaded));
    const failed = results.filter(({ verdict }) => verdict.kind === 'failed');
    expect(failed.map(({ id, verdict }) => ({ id, ...verdict }))).toEqual([]);
    const skipped = new Set(
      results.filter(({ verdict }) => verdict.kind === 'unsupported').map(({ id }) => id),
    );
    const kinds = mine.cases.filter(({ id }) => skipped.has(id)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => !TOLD_IN_WORDS.test(kind))).toEqual([]);
  },
  600_000,
);
