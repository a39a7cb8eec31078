// The cases of area A6, told in words: each builds a log with the real writer, makes its change, and asks the verifier
// or the next start. Those that need processes of their own are in lockkit/src/audit/audit-processes.test.ts, those of
// a failing disk in lockkit/src/audit/log-writer.test.ts.
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createHash, randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { encodeArgvField, openAuditLog, renderVerdict, verifyAudit, type AuditLog } from 'lockkit/audit';
import { Fault, UserMistake } from 'lockkit/contract';
import { DEFAULT_DETECTORS, openMasker } from 'lockkit/masking';
import { lockFile } from 'lockkit/native';

let dir: string;
let path: string;
const opened: AuditLog[] = [];

beforeEach(() => {
  dir = join(mkdtempSync(join(tmpdir(), 'lock-a6-')), 'log');
  path = join(dir, 'audit-000001.jsonl');
});
afterEach(async () => {
  for (const log of opened.splice(0)) await log.close().catch(() => undefined);
});

async function openLog(now: () => Date = () => new Date(), maxFileBytes?: number): Promise<AuditLog> {
  const log = await openAuditLog({ dir, profile: 'web', now, lock: lockFile, maxFileBytes });
  opened.push(log);
  return log;
}

/** A log of so many records, closed. Gives its last checkpoint. */
async function build(count: number): Promise<string> {
  const log = await openLog();
  for (let n = 1; n <= count; n += 1) await log.append({ event: 'test.event', n, text: `record ${n}` });
  const checkpoint = log.checkpoint();
  await log.close();
  return checkpoint;
}

/** As a crash leaves it: the checkpoint is still the one of the start. */
async function buildUnsigned(count: number): Promise<void> {
  const log = await openLog();
  const checkpoint = readFileSync(join(dir, 'checkpoint'));
  for (let n = 1; n <= count; n += 1) await log.append({ event: 'test.event', n });
  await log.close();
  writeFileSync(join(dir, 'checkpoint'), checkpoint);
}

const readLog = (): string => readFileSync(path, 'utf8');
const lines = (): string[] => readLog().trimEnd().split('\n');
const writeLines = (list: readonly string[]): void =>
  writeFileSync(path, list.map((line) => `${line}\n`).join(''));
const tornFiles = (): string[] => readdirSync(dir).filter((name) => name.includes('.torn-'));

/** What somebody without the key can make: any fields, and every hash recomputed. */
function forge(records: readonly Record<string, unknown>[]): string[] {
  let prev = '0'.repeat(64);
  return records.map((fields, index) => {
    const body = { ...fields, seq: index + 1, prev };
    prev = createHash('sha256').update(sorted(body)).digest('hex');
    return sorted({ ...body, hash: prev });
  });
}

/** The canonical form, for records without nested objects. */
function sorted(record: Record<string, unknown>): string {
  return JSON.stringify(Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1))));
}

function parse(line: string): Record<string, unknown> {
  const { hash: _hash, ...body } = JSON.parse(line) as Record<string, unknown>;
  return body;
}

describe('A6: a change of what is written', () => {
  test.each<[string, (list: string[]) => string[], number]>([
    [
      'A6-001: a byte flipped in record 3',
      (list) => list.with(2, (list[2] ?? '').replace('record 3', 'record 2')),
      3,
    ],
    ['A6-002: record 3 deleted', (list) => list.toSpliced(2, 1), 3],
    [
      'A6-003: records 3 and 4 swapped',
      (list) => [list[0], list[1], list[3], list[2], list[4]].map(String),
      3,
    ],
    ['A6-018: spaces added inside record 2', (list) => list.with(1, (list[1] ?? '').replace(',', ', ')), 2],
    ['A6-019: a key twice in record 2', (list) => list.with(1, (list[1] ?? '').replace('{', '{"n":2,')), 2],
    [
      'A6-020: the keys of record 2 in another order',
      (list) =>
        list.with(
          1,
          JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(list[1] ?? '')).toReversed())),
        ),
      2,
    ],
    ['A6-021: line ends made CR LF', (list) => list.map((line) => `${line}\r`), 1],
    ['A6-022: a malformed line', (list) => list.with(3, '{"v":1,'), 4],
    ['A6-013: a broken line in the middle', (list) => list.with(2, (list[2] ?? '').slice(0, 20)), 3],
  ])('%s is broken there, and the log cannot be continued', async (_name, change, at) => {
    await build(5);
    writeLines(change(lines()));
    expect(await verifyAudit(dir)).toMatchObject({ verdict: 'broken', at, records: at - 1 });
    await expect(openLog()).rejects.toThrow(UserMistake);
  });

  test('A6-004: a forged record with the right prev is broken behind it, or by the checkpoint', async () => {
    await build(5);
    const good = lines();
    const forged =
      forge([...good.slice(0, 3).map(parse), { ...parse(good[3] ?? ''), text: 'forged' }])[3] ?? '';
    writeLines(good.toSpliced(3, 0, forged));
    expect(await verifyAudit(dir)).toMatchObject({ verdict: 'broken', at: 5, reason: 'sequence' });
    writeLines([...good.slice(0, 3), forged]);
    expect(await verifyAudit(dir)).toMatchObject({ verdict: 'broken', reason: 'shorter_than_checkpoint' });
  });

  test('A6-005: the whole chain recomputed after an edit is broken by the checkpoints', async () => {
    const earlierCheckpoint = await build(5);
    const records = lines().map(parse);
    writeLines(forge([{ ...records[0], text: 'edited' }, ...records.slice(1)]));
    expect(await verifyAudit(dir)).toMatchObject({ verdict: 'broken', reason: 'differs_from_checkpoint' });
    rmSync(join(dir, 'checkpoint'));
    expect(await verifyAudit(dir, { earlierCheckpoint })).toMatchObject({
      verdict: 'broken',
      reason: 'differs_from_earlier_checkpoint',
      earlier: 'broken',
    });
  });

  test('A6-016: a vertical tab instead of a newline is broken to the verifier and to the start', async () => {
    await build(5);
    const list = lines();
    writeLines([...list.slice(0, 3), `${list[3]}\v${list[4]}`]);
    expect(await verifyAudit(dir)).toMatchObject({ verdict: 'broken', at: 4 });
    await expect(openLog()).rejects.toThrow(UserMistake);
  });

  test('A6-017: a record that holds U+2028, U+0085 and CR is one line', async () => {
    const log = await openLog();
    await log.append({ event: 'test.event', text: 'a\u2028b\u0085c\rd' });
    await log.close();
    expect(await verifyAudit(dir)).toMatchObject({ verdict: 'intact', records: 1 });
    expect((await openLog()).head().seq).toBe(1);
  });
});

describe('A6: what is missing', () => {
  test('A6-006: a tail that was cut off is shorter than the checkpoint kept elsewhere', async () => {
    const earlierCheckpoint = await build(5);
    writeLines(lines().slice(0, 3));
    rmSync(join(dir, 'checkpoint'));
    expect(await verifyAudit(dir, { earlierCheckpoint })).toMatchObject({
      verdict: 'broken',
      at: 4,
      reason: 'shorter_than_earlier_checkpoint',
    });
  });

  test('A6-007: without any checkpoint the verdict says that a cut-off tail cannot be seen', async () => {
    await build(5);
    writeLines(lines().slice(0, 3));
    rmSync(join(dir, 'checkpoint'));
    const verdict = await verifyAudit(dir);
    expect(verdict).toMatchObject({ verdict: 'intact', records: 3, signed_to: 0, earlier: 'not_given' });
    expect(renderVerdict(verdict).join('\n')).toContain('cannot be seen');
  });

  test('A6-008: a log that is gone is refused; a folder that is gone begins a new one and says so', async () => {
    await build(5);
    rmSync(path);
    await expect(openLog()).rejects.toThrow(UserMistake);
    expect(existsSync(path)).toBe(false);
    rmSync(dir, { recursive: true });
    expect((await openLog()).news.created).toBe(true);
  });

  test('A6-009: a log that was cut cannot be continued, so nothing signs the loss away', async () => {
    await build(8);
    writeLines(lines().slice(0, 4));
    await expect(openLog()).rejects.toThrow(UserMistake);
    expect(lines()).toHaveLength(4);
    expect(await verifyAudit(dir)).toMatchObject({
      verdict: 'broken',
      at: 5,
      reason: 'shorter_than_checkpoint',
    });
  });

  test('A6-033: a file deleted in the middle of a log of several is a gap', async () => {
    const log = await openLog(undefined, 1000);
    for (let n = 0; n < 20; n += 1) await log.append({ event: 'test.event', n });
    await log.close();
    rmSync(join(dir, 'audit-000002.jsonl'));
    expect(await verifyAudit(dir)).toMatchObject({ verdict: 'broken', reason: 'file_missing' });
    await expect(openLog()).rejects.toThrow(UserMistake);
  });
});

describe('A6: what a crash leaves', () => {
  test('A6-010: a last line cut in the middle is kept aside and recorded, the chain goes on from record 4', async () => {
    await buildUnsigned(5);
    const torn = readLog().slice(readLog().lastIndexOf('{'), -30);
    truncateSync(path, Buffer.byteLength(readLog()) - 30);
    expect(await verifyAudit(dir)).toMatchObject({ verdict: 'torn', records: 4 });
    const log = await openLog();
    expect(log.news.tornTail).toMatchObject({ bytes: Buffer.byteLength(torn) });
    expect(tornFiles().map((name) => readFileSync(join(dir, name), 'utf8'))).toEqual([torn]);
    expect(JSON.parse(lines()[4] ?? '')).toMatchObject({ seq: 5, event: 'log.torn_tail' });
    expect(await verifyAudit(dir)).toMatchObject({ verdict: 'intact', records: 5 });
  });

  test('A6-011: a last record that misses only its newline gets it', async () => {
    await buildUnsigned(5);
    truncateSync(path, Buffer.byteLength(readLog()) - 1);
    const log = await openLog();
    await log.append({ event: 'test.event' });
    expect(lines()).toHaveLength(6);
    expect(await verifyAudit(dir)).toMatchObject({ verdict: 'intact', records: 6 });
  });

  test('A6-012: nothing is appended to half a line', async () => {
    await buildUnsigned(5);
    truncateSync(path, Buffer.byteLength(readLog()) - 30);
    const log = await openLog();
    await log.append({ event: 'test.event' });
    await log.close();
    expect(lines().every((line) => JSON.parse(line).v === 1)).toBe(true);
    expect(await verifyAudit(dir)).toMatchObject({ verdict: 'intact' });
  });

  test('A6-014: a tail of NUL bytes is a torn tail', async () => {
    await buildUnsigned(5);
    appendFileSync(path, Buffer.alloc(4096));
    expect(await verifyAudit(dir)).toMatchObject({ verdict: 'torn', records: 5 });
    expect((await openLog()).news.tornTail).toMatchObject({ bytes: 4096 });
    expect(await verifyAudit(dir)).toMatchObject({ verdict: 'intact', records: 6 });
  });

  test.each([
    '{"seq":6}',
    '{"v":1,"seq":6,"time":"","event":"x","profile":"","prev":"","hash":""}',
    '6',
    'null',
  ])('A6-015: a tail that only parses as JSON is never the head (%s)', async (garbage) => {
    await buildUnsigned(5);
    appendFileSync(path, garbage);
    const log = await openLog();
    expect(log.news.tornTail).not.toBeNull();
    await log.close();
    appendFileSync(path, `${garbage}\n`);
    await expect(openLog()).rejects.toThrow(UserMistake);
  });
});

describe('A6: clocks and numbers', () => {
  test('A6-029: a clock that goes back changes nothing', async () => {
    let hour = 10;
    const log = await openLog(() => new Date(Date.UTC(2026, 9, 1, (hour -= 1))));
    for (let n = 0; n < 3; n += 1) await log.append({ event: 'test.event' });
    expect(lines().map((line) => JSON.parse(line).seq)).toEqual([1, 2, 3]);
    expect(await verifyAudit(dir)).toMatchObject({ verdict: 'intact' });
  });

  test('A6-030: equal times are legal', async () => {
    const log = await openLog(() => new Date(0));
    for (let n = 0; n < 3; n += 1) await log.append({ event: 'test.event' });
    expect(await verifyAudit(dir)).toMatchObject({ verdict: 'intact', records: 3 });
  });

  test('A6-038: numbers that languages write differently verify after a reload', async () => {
    const log = await openLog();
    await log.append({ event: 'test.event', numbers: [-0, 1e21, Number.NaN, Infinity, 0.1 + 0.2, 2 ** 53] });
    await log.close();
    expect(await verifyAudit(dir)).toMatchObject({ verdict: 'intact', records: 1 });
    expect((await openLog()).head().seq).toBe(1);
  });
});

describe('A6: the file', () => {
  test('A6-031: a file that is renamed while open is noticed, nothing is lost silently', async () => {
    const log = await openLog();
    await log.append({ event: 'test.event' });
    renameSync(path, `${path}.1`);
    await expect(log.append({ event: 'test.event' })).rejects.toThrow(Fault);
    expect(log.failed.aborted).toBe(true);
  });

  test('A6-032: a file that is copied and cut while open is noticed', async () => {
    const log = await openLog();
    await log.append({ event: 'test.event' });
    writeFileSync(`${path}.1`, readLog());
    truncateSync(path, 0);
    await expect(log.append({ event: 'test.event' })).rejects.toThrow(Fault);
    expect(log.failed.aborted).toBe(true);
  });

  test('A6-034: a link is not followed', async () => {
    await build(1);
    renameSync(path, join(dir, 'target'));
    symlinkSync('target', path);
    await expect(openLog()).rejects.toThrow(UserMistake);
  });

  test('A6-035: a file that others can write, or that another account owns, is not opened', async () => {
    await build(1);
    chmodSync(path, 0o666);
    await expect(openLog()).rejects.toThrow(UserMistake);
    chmodSync(path, 0o600);
    // Only root can give a file away; the check itself is the same for every account.
    if (process.getuid?.() === 0) {
      chownSync(path, 65534, 65534);
      await expect(openLog()).rejects.toThrow(UserMistake);
      chownSync(path, 0, 0);
    }
    expect((await openLog()).head().seq).toBe(1);
  });
});

describe('A6: what may be written', () => {
  test('A6-036, A6-037: a command is recorded masked, its output never', async () => {
    const masker = openMasker({
      detectors: DEFAULT_DETECTORS,
      key: randomBytes(32),
      maskRules: [],
      agentRules: [],
      allow: [],
    });
    const masked = masker.maskArgv(['mysql', '--user=app', '--password=hunter2-Zq8', 'mail bob@example.com']);
    const log = await openLog();
    await log.append({ event: 'effect.start', opens: 'e1', ...encodeArgvField(masked) });
    await log.append({ event: 'effect.end', closes: 'e1', exit_status: 0, masked: { email: 1 } });
    expect(readLog()).not.toMatch(/hunter2|bob@example/);
    expect(JSON.parse(lines()[0] ?? '').argv[0]).toBe('mysql');
    expect(Object.keys(JSON.parse(lines()[1] ?? ''))).not.toContain('stdout');
  });
});
