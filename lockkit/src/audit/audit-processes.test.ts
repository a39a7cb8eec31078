import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { UserMistake } from '../contract/fault.js';
import { lockFile } from '../native/kernel.js';
import { bundleScript } from '../test/bundle-script.js';
import { openAuditLog, type AuditLog } from './audit-log.js';
import { verifyAudit } from './verify-audit.js';

let script: string;
let dir: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  script = await bundleScript(join(import.meta.dirname, 'test/writer-script.ts'));
});
beforeEach(() => {
  dir = join(mkdtempSync(join(tmpdir(), 'lock-audit-')), 'log');
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

function start(task: string): { child: ChildProcess; ended: Promise<unknown>; text: () => string } {
  const child = spawn(process.execPath, [script, dir, task], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return { child, ended: once(child, 'close'), text: () => text };
}

function openHere(): Promise<AuditLog> {
  return openAuditLog({ dir, profile: 'web', now: () => new Date(), lock: lockFile });
}

const records = (): { seq: number; event: string; closes?: string }[] =>
  readFileSync(join(dir, 'audit-000001.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

test('a writer that is killed at any moment loses no record whose append resolved', async () => {
  let acknowledged = 0;
  for (let round = 1; round <= 6; round += 1) {
    const writer = start('for_ever');
    const enough = acknowledged + round * 7;
    const last = (): number => Number(writer.text().trimEnd().split('\n').at(-1));
    await expect.poll(last, { timeout: 20_000, interval: 3 }).toBeGreaterThan(enough);
    writer.child.kill('SIGKILL');
    await writer.ended;
    acknowledged = last();
    const verdict = await verifyAudit(dir);
    expect(['intact', 'torn']).toContain(verdict.verdict);
    expect(verdict.records).toBeGreaterThanOrEqual(acknowledged);
    acknowledged = verdict.records;
  }
  const log = await openHere();
  await log.close();
  expect(await verifyAudit(dir)).toMatchObject({ verdict: 'intact' });
});

test('A6-023: eight processes with one record each make one chain of eight', async () => {
  const writers = Array.from({ length: 8 }, () => start('one'));
  await Promise.all(writers.map(({ ended }) => ended));
  expect(await verifyAudit(dir)).toMatchObject({ verdict: 'intact', records: 8 });
});

test('A6-024, A6-025: a second console is refused while the first lives, and not after it died', async () => {
  const holder = start('hold');
  await expect.poll(holder.text, { timeout: 20_000 }).toBe('held\n');
  await expect(openHere()).rejects.toThrow(UserMistake);
  holder.child.kill('SIGKILL');
  await holder.ended;
  await (await openHere()).close();
});

test('A6-028: an effect that was started when the process was killed has its unknown end after the restart', async () => {
  await start('start_and_die').ended;
  expect(await verifyAudit(dir)).toMatchObject({ verdict: 'intact', records: 1, without_end: 1 });
  const log = await openHere();
  expect(log.news.unknownEnds).toBe(1);
  await log.close();
  expect(records().map(({ event }) => event)).toEqual(['effect.start', 'effect.unknown_end']);
  expect(records()[1]?.closes).toBe('e1');
});
