import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Fault, UserMistake } from '../contract/fault.js';
import { lockFile } from '../native/kernel.js';
import { openAuditLog, type AuditLog, type AuditLogOptions } from './audit-log.js';
import { verifyAudit } from './verify-audit.js';

let dir: string;
const opened: AuditLog[] = [];

beforeEach(() => {
  dir = join(mkdtempSync(join(tmpdir(), 'lock-audit-')), 'log');
});
afterEach(async () => {
  for (const log of opened.splice(0)) await log.close().catch(() => undefined);
});

async function openHere(extra: Partial<AuditLogOptions> = {}): Promise<AuditLog> {
  const log = await openAuditLog({ dir, profile: 'web', now: () => new Date(0), lock: lockFile, ...extra });
  opened.push(log);
  return log;
}

async function write(count: number): Promise<void> {
  const log = await openHere();
  for (let i = 1; i <= count; i += 1) await log.append({ event: 'test.event', n: i });
  await log.close();
}

const file = (number = 1): string => join(dir, `audit-00000${number}.jsonl`);
const lines = (): string[] => readFileSync(file(), 'utf8').trimEnd().split('\n');

describe('openAuditLog', () => {
  test('writes records that verify, each line naming the one before', async () => {
    await write(3);
    const records = lines().map((line) => JSON.parse(line));
    expect(records.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect(records[0].prev).toBe('0'.repeat(64));
    expect(records[2].prev).toBe(records[1].hash);
    const first = { v: 1, event: 'test.event', profile: 'web', time: '1970-01-01T00:00:00.000Z', n: 1 };
    expect(records[0]).toMatchObject(first);
    expect(await verifyAudit(dir)).toMatchObject({ verdict: 'intact', records: 3, signed_to: 3 });
  });

  test('makes its folder 0700 and its files 0600', async () => {
    await write(1);
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(dir)) expect(statSync(join(dir, name)).mode & 0o777).toBe(0o600);
  });

  test('has each record on disk when append resolves, and keeps the order of many at once', async () => {
    const log = await openHere();
    const numbers = Array.from({ length: 200 }, (_, n) => n);
    const heads = await Promise.all(numbers.map((n) => log.append({ event: 'test.event', n })));
    expect(heads.map(({ seq }) => seq)).toEqual(numbers.map((n) => n + 1));
    expect(lines().map((line) => JSON.parse(line).n)).toEqual(numbers);
    expect(log.head().hash).toBe(JSON.parse(lines().at(-1) ?? '').hash);
  });

  test('continues a log, and says when one began', async () => {
    const first = await openHere();
    expect(first.news).toEqual({ created: true, tornTail: null, unknownEnds: 0 });
    await first.append({ event: 'test.event' });
    await first.close();
    const second = await openHere();
    expect(second.news.created).toBe(false);
    expect((await second.append({ event: 'test.event' })).seq).toBe(2);
  });

  test('begins a new file past the size, carries open effects over, and verifies over all files', async () => {
    const log = await openHere({ maxFileBytes: 2000 });
    await log.append({ event: 'effect.start', opens: 'e1' });
    for (let n = 0; n < 30; n += 1) await log.append({ event: 'test.event', n });
    await log.close();
    expect(existsSync(file(3))).toBe(true);
    expect(await verifyAudit(dir)).toMatchObject({ verdict: 'intact', without_end: 1 });
    const again = await openHere({ maxFileBytes: 2000 });
    expect(again.news.unknownEnds).toBe(1);
    expect(await verifyAudit(dir)).toMatchObject({ verdict: 'intact', without_end: 0 });
  });

  test('refuses a second writer', async () => {
    await openHere();
    await expect(openHere()).rejects.toThrow(UserMistake);
  });

  test('refuses a folder or file that others can touch, or that is a link', async () => {
    await write(1);
    chmodSync(file(), 0o620);
    await expect(openHere()).rejects.toThrow(UserMistake);
    chmodSync(file(), 0o600);
    chmodSync(dir, 0o750);
    await expect(openHere()).rejects.toThrow(UserMistake);
    chmodSync(dir, 0o700);
    renameSync(file(), join(dir, 'elsewhere'));
    symlinkSync(join(dir, 'elsewhere'), file());
    await expect(openHere()).rejects.toThrow(UserMistake);
    expect(await verifyAudit(dir)).toMatchObject({ verdict: 'broken', reason: 'file_unreadable' });
  });

  test('refuses a log that is shorter than its checkpoint, or gone', async () => {
    await write(5);
    writeFileSync(file(), `${lines().slice(0, 3).join('\n')}\n`);
    await expect(openHere()).rejects.toThrow(UserMistake);
    rmSync(file());
    await expect(openHere()).rejects.toThrow(UserMistake);
    expect(await verifyAudit(dir)).toMatchObject({ verdict: 'broken', at: 1 });
  });

  test('refuses a checkpoint or a key that is not its own', async () => {
    await write(2);
    const checkpoint = join(dir, 'checkpoint');
    const good = readFileSync(checkpoint, 'utf8');
    writeFileSync(checkpoint, good.replace('\n2\n', '\n1\n'));
    await expect(openHere()).rejects.toThrow(UserMistake);
    writeFileSync(checkpoint, good);
    rmSync(join(dir, 'checkpoint-key'));
    await expect(openHere()).rejects.toThrow(UserMistake);
  });

  test('lets the lock go when it refuses, so that a repaired log opens', async () => {
    await write(2);
    chmodSync(file(), 0o644);
    await expect(openHere()).rejects.toThrow(UserMistake);
    chmodSync(file(), 0o600);
    expect((await openHere()).head().seq).toBe(2);
  });

  test('rejects what no caller may write, and bounds what an agent can make large', async () => {
    const log = await openHere();
    expect(() => log.append({ event: 'Bad Name' })).toThrow(Error);
    expect(() => log.append({ event: 'test.event', seq: 9 })).toThrow(Error);
    await log.append({ event: 'test.event', big: Array.from({ length: 200 }, () => 'é'.repeat(9000)) });
    expect((lines().at(-1) ?? '').length).toBeLessThan(65_536);
    expect(await verifyAudit(dir)).toMatchObject({ verdict: 'intact' });
  });
});

describe('AuditLog.append', () => {
  test('notices that its file was moved away, and loses nothing silently', async () => {
    const log = await openHere();
    await log.append({ event: 'test.event' });
    renameSync(file(), `${file()}.1`);
    await expect(log.append({ event: 'test.event' })).rejects.toThrow(Fault);
    expect(log.failed.aborted).toBe(true);
  });

  test.each([
    ['cut', () => truncateSync(file(), 0)],
    ['written by someone else', () => appendFileSync(file(), 'x')],
  ])('notices that its file was %s', async (_name, change) => {
    const log = await openHere();
    await log.append({ event: 'test.event' });
    change();
    await expect(log.append({ event: 'test.event' })).rejects.toThrow(Fault);
    await expect(log.append({ event: 'test.event' })).rejects.toThrow(Fault);
    expect(log.failed.aborted).toBe(true);
  });

  test('gives checkpoints that hold as long as nothing up to them changes', async () => {
    const log = await openHere();
    for (let n = 0; n < 3; n += 1) await log.append({ event: 'test.event', n });
    const earlierCheckpoint = log.checkpoint();
    await log.append({ event: 'test.event' });
    await log.close();
    expect(await verifyAudit(dir, { earlierCheckpoint })).toMatchObject({
      verdict: 'intact',
      earlier: 'holds',
    });
    const forged = earlierCheckpoint.replace('\n3\n', '\n4\n');
    expect(await verifyAudit(dir, { earlierCheckpoint: forged })).toMatchObject({
      verdict: 'broken',
      reason: 'earlier_checkpoint_unreadable',
      earlier: 'broken',
    });
  });
});
