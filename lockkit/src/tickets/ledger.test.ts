import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TicketLedger, type TicketDraft } from './ledger.js';
import { hashSubject, isTicketId, TICKET_LIMITS } from './ticket.js';

const draft = (changes: Partial<TicketDraft> = {}): TicketDraft => ({
  lock: 'lockssh',
  instance: '',
  profile: 'web',
  kind: 'exec',
  risk: 'write',
  never_auto: false,
  screen: { title: ['t'], origin: [], sections: [], warnings: [] },
  subject_hash: hashSubject({ argv: ['true'] }),
  policy_fingerprint: 'f',
  peer_uid: 1000,
  audit_head: '0',
  ...changes,
});
const claim = { peerUid: 1000, subjectHash: hashSubject({ argv: ['true'] }), fingerprint: 'f' };

function openLedger() {
  let nowMs = 0;
  const ledger = new TicketLedger({ nowMs: () => nowMs, randomBytes });
  return { ledger, wait: (ms: number) => (nowMs += ms) };
}

describe('TicketLedger', () => {
  test('open: ids have the documented form', () => {
    expect(isTicketId(openLedger().ledger.open(draft()).id)).toBe(true);
  });

  test('use: once, by the account that asked, for the same subject, under the same policy', () => {
    const { ledger } = openLedger();
    const { id } = ledger.open(draft());
    expect(ledger.use(id, claim)).toEqual({ ok: false, code: 'E_UNKNOWN_TICKET' });
    expect(ledger.decide(id, 'approved', 'human')).toBe(true);
    expect(ledger.use(id, { ...claim, peerUid: 1001 })).toEqual({ ok: false, code: 'E_UNKNOWN_TICKET' });
    expect(ledger.use(id, { ...claim, subjectHash: 'x' })).toEqual({ ok: false, code: 'E_UNKNOWN_TICKET' });
    expect(ledger.use(id, { ...claim, fingerprint: 'g' })).toEqual({ ok: false, code: 'E_STALE' });
    expect(ledger.use(id, claim).ok).toBe(true);
    expect(ledger.use(id, claim)).toEqual({ ok: false, code: 'E_UNKNOWN_TICKET' });
  });

  test('decide: an automatic approval of a never_auto ticket is refused, an automatic denial is not', () => {
    const { ledger } = openLedger();
    const first = ledger.open(draft({ never_auto: true }));
    expect(ledger.decide(first.id, 'approved', 'auto.exec')).toBe(false);
    expect(ledger.find(first.id)?.state).toBe('pending');
    expect(ledger.decide(first.id, 'denied', 'auto.exec')).toBe(true);
  });

  test('expiry: undecided is expired and never denied; approved has its own ten minutes', () => {
    const { ledger, wait } = openLedger();
    const first = ledger.open(draft());
    wait(TICKET_LIMITS.decideMs);
    expect(ledger.decide(first.id, 'approved', 'human')).toBe(false);
    expect(ledger.check(first.id, claim)).toEqual({ ok: false, code: 'E_NO_ANSWER' });
    const second = ledger.open(draft());
    ledger.decide(second.id, 'approved', 'human');
    wait(TICKET_LIMITS.useMs);
    expect(ledger.use(second.id, claim)).toEqual({ ok: false, code: 'E_UNKNOWN_TICKET' });
    expect(ledger.all().map(({ state }) => state)).toEqual(['expired', 'expired']);
  });

  test('check: an approval covers what it was asked for, and nothing that is needed since', () => {
    const { ledger } = openLedger();
    const { id } = ledger.open(draft(), ['exec']);
    ledger.decide(id, 'approved', 'human');
    expect(ledger.check(id, { ...claim, kinds: ['connect', 'exec'] })).toEqual({
      ok: false,
      code: 'E_STALE',
    });
    expect(ledger.findOpen({ ...claim, kinds: ['connect'] })).toBeUndefined();
    expect(ledger.use(id, { ...claim, kinds: ['exec'] }).ok).toBe(true);
  });

  test('withdraw: also what was approved and not used; never what is closed', () => {
    const { ledger } = openLedger();
    const first = ledger.open(draft());
    ledger.decide(first.id, 'approved', 'human');
    expect(ledger.withdraw(first.id)).toBe(true);
    expect(ledger.use(first.id, claim)).toEqual({ ok: false, code: 'E_UNKNOWN_TICKET' });
    expect(ledger.withdraw(first.id)).toBe(false);
    expect(ledger.decide(first.id, 'approved', 'human')).toBe(false);
  });

  test('all: closed tickets are remembered up to a number; a flood does not grow without end', () => {
    const { ledger } = openLedger();
    const first = ledger.open(draft());
    ledger.withdraw(first.id);
    for (let i = 0; i < 4096; i++) ledger.withdraw(ledger.open(draft()).id);
    expect(ledger.all()).toHaveLength(4096);
    expect(ledger.check(first.id, claim)).toEqual({ ok: false, code: 'E_UNKNOWN_TICKET' });
  });

  test('use: whatever the order of decisions, time and claims, a ticket is used at most once and only approved', () => {
    const step = fc.oneof(
      fc.constant({ kind: 'approve' as const }),
      fc.constant({ kind: 'deny' as const }),
      fc.constant({ kind: 'withdraw' as const }),
      fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 700_000 }) }),
      fc.record({ kind: fc.constant('use' as const), fingerprint: fc.constantFrom('f', 'g') }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const { ledger, wait } = openLedger();
        const { id } = ledger.open(draft());
        let approved = false;
        let uses = 0;
        for (const one of steps) {
          if (one.kind === 'approve') approved = ledger.decide(id, 'approved', 'human') || approved;
          if (one.kind === 'deny') ledger.decide(id, 'denied', 'human');
          if (one.kind === 'withdraw') ledger.withdraw(id);
          if (one.kind === 'wait') wait(one.ms);
          if (one.kind === 'use' && ledger.use(id, { ...claim, fingerprint: one.fingerprint }).ok) {
            expect(approved && one.fingerprint === 'f').toBe(true);
            uses++;
          }
        }
        expect(uses).toBeLessThanOrEqual(1);
      }),
    );
  });
});
