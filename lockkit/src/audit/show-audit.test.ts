import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lockFile } from '../native/kernel.js';
import { openAuditLog } from './audit-log.js';
import { renderVerdict, showAudit } from './show-audit.js';
import { verifyAudit } from './verify-audit.js';

async function makeLog(): Promise<string> {
  const dir = join(mkdtempSync(join(tmpdir(), 'lock-audit-')), 'log');
  const log = await openAuditLog({ dir, profile: 'web', now: () => new Date(0), lock: lockFile });
  await log.append({
    event: 'effect.start',
    argv: ['echo', '⟦secret⟧', '\u001b[2J\u009b\u202e'],
    peer: { uid: 1000 },
  });
  await log.append({ event: 'effect.end', exit_status: 0 });
  await log.close();
  return dir;
}

async function show(dir: string, json: boolean, last?: number): Promise<string[]> {
  const lines: string[] = [];
  await showAudit(dir, { json, last }, (line) => void lines.push(line));
  return lines;
}

test('showAudit shows records as visible text, placeholders kept', async () => {
  const [first, second] = await show(await makeLog(), false);
  expect(first).toContain('#1 1970-01-01T00:00:00.000Z effect.start [web]');
  expect(first).toContain('⟦secret⟧');
  expect(first).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(second).toContain(' · exit_status 0');
});

test('showAudit with json gives the same values, and nothing that acts on a terminal', async () => {
  const dir = await makeLog();
  const lines = await show(dir, true, 2);
  expect(lines.join('')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(lines.map((line) => JSON.parse(line)).map(({ seq }) => seq)).toEqual([1, 2]);
  expect(JSON.parse(lines[0] ?? '').argv[2]).toBe('\u001b[2J\u009b\u202e');
  expect(await show(dir, true, 1)).toHaveLength(1);
});

test('showAudit says where a log stops being whole', async () => {
  const dir = await makeLog();
  writeFileSync(join(dir, 'audit-000001.jsonl'), 'garbage\n');
  expect(await show(dir, false)).toEqual(['▲ the log is broken at record 1 (not_a_record)']);
  expect(await show(dir, true)).toEqual([JSON.stringify({ end: 'not_a_record', at: 1 })]);
});

test('renderVerdict says what it cannot see', async () => {
  const dir = await makeLog();
  expect(renderVerdict(await verifyAudit(dir)).join('\n')).toMatch(/^intact: 2 records[^]*cannot be seen/);
  expect(renderVerdict(await verifyAudit(join(dir, 'none')))).toEqual(['there is no log here']);
});
