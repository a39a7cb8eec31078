import { describe, expect, test } from 'vitest';
import type { AuditEvent } from './record.js';
import { createRefusalTally } from './refusal-tally.js';

function tallyHere() {
  const records: AuditEvent[] = [];
  const due: (() => void)[] = [];
  const tally = createRefusalTally({
    append: async (event) => void records.push(event),
    now: () => new Date(0),
    after: (_delayMs, run) => {
      due.push(run);
      return () => void due.splice(due.indexOf(run), 1);
    },
  });
  return { tally, records, due };
}

describe('createRefusalTally', () => {
  test('records the first of a kind at once and its repetitions together', async () => {
    const { tally, records, due } = tallyHere();
    for (let n = 0; n < 1000; n += 1) await tally.note('E_NOT_ALLOWED', { peer_uid: 1000 });
    await tally.note('E_NOT_ALLOWED', { peer_uid: 1001 });
    expect(records).toHaveLength(2);
    due[0]?.();
    await tally.flush();
    expect(records).toHaveLength(3);
    expect(records[2]).toMatchObject({
      event: 'refused.repeated',
      code: 'E_NOT_ALLOWED',
      peer_uid: 1000,
      count: 999,
    });
  });

  test('never makes more than a bounded number of records, and counts them all', async () => {
    const { tally, records } = tallyHere();
    for (let n = 0; n < 5000; n += 1) await tally.note('E_BAD_REQUEST', { peer_uid: n });
    await tally.note('E_BAD_REQUEST', { peer_uid: 0 });
    await tally.flush();
    expect(records.length).toBeLessThan(300);
    const counted = records.reduce((sum, record) => sum + (Number(record['count']) || 1), 0);
    expect(counted).toBe(5001);
  });
});
