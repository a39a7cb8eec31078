import { beforeEach, describe, expect, test } from 'vitest';
import { countingBytes } from '../test/counting-bytes.js';
import { MAX_PLANS_PER_PEER, PLAN_LIFE_MS, PlanLedger } from './plan-ledger.js';

describe('PlanLedger', () => {
  let nowMs = 0;
  const plan = { request: { key: 'a', plugins: ['x'] }, intent: undefined, peerUid: 1000, fingerprint: 'p1' };
  const open = (): PlanLedger => new PlanLedger({ nowMs: () => nowMs, randomBytes: countingBytes() });
  const submit = (ledger: PlanLedger, changes = {}): string => {
    const submitted = ledger.submit({ ...plan, ...changes });
    return submitted.ok ? submitted.value.id : submitted.code;
  };
  const codeOf = (outcome: { ok: boolean; code?: string }): string =>
    outcome.ok ? 'ok' : (outcome.code ?? '');

  beforeEach(() => (nowMs = 1_000_000));

  test('a plan is used once', () => {
    const ledger = open();
    const id = submit(ledger);
    expect(id).toMatch(/^p_[0-9A-Za-z]{16}$/);
    expect(codeOf(ledger.find(id, 1000, 'p1'))).toBe('ok');
    expect(codeOf(ledger.take(id, 1000, 'p1'))).toBe('ok');
    expect(codeOf(ledger.take(id, 1000, 'p1'))).toBe('E_UNKNOWN_PLAN');
    expect(codeOf(ledger.find(id, 1000, 'p1'))).toBe('E_UNKNOWN_PLAN');
  });

  test('it is good for ten minutes and not a millisecond longer', () => {
    const ledger = open();
    const id = submit(ledger);
    nowMs += PLAN_LIFE_MS - 1;
    expect(codeOf(ledger.find(id, 1000, 'p1'))).toBe('ok');
    nowMs += 1;
    expect(codeOf(ledger.take(id, 1000, 'p1'))).toBe('E_UNKNOWN_PLAN');
  });

  test('only for the account that asked, and only under its policy', () => {
    const ledger = open();
    const id = submit(ledger);
    expect(codeOf(ledger.take(id, 1001, 'p1'))).toBe('E_UNKNOWN_PLAN');
    expect(codeOf(ledger.take(id, 1000, 'p2'))).toBe('E_STALE');
    expect(codeOf(ledger.take(id, 1000, 'p1'))).toBe('ok');
  });

  test('an account that floods is told to wait; another is not', () => {
    const ledger = open();
    for (let i = 0; i < MAX_PLANS_PER_PEER; i++) expect(submit(ledger)).toMatch(/^p_/);
    expect(submit(ledger)).toBe('E_BUSY');
    expect(submit(ledger, { peerUid: 1001 })).toMatch(/^p_/);
    nowMs += PLAN_LIFE_MS;
    expect(submit(ledger)).toMatch(/^p_/);
  });
});
