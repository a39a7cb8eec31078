// Every way a decision can be wrong has its code, and no change of a signed decision or ticket is ever accepted
// (docs/hub-protocol.md, section 5).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkDecision, checkSaying, isUnfit, type LockKnowledge } from './check-decision.js';
import { parseSignedDecision, verifyDecision, type SignedDecision } from './decision.js';
import { parseSignedTicket, verifyTicket } from './signed-ticket.js';
import { makeSigningKey, signCanonical, verifyCanonical } from './signing.js';
import { hashTicket, TICKET_LIMITS, type Ticket } from './ticket.js';
import { after, sampleConsole, sampleDecision, sampleTicket, START } from './test/samples.js';

const [human, auto, stranger] = [makeSigningKey(), makeSigningKey(), makeSigningKey()];
const deciders = [
  { key: human.key, role: 'human' as const },
  { key: auto.key, role: 'auto' as const },
];
const known = (ticket: Ticket, changes: Partial<LockKnowledge> = {}): LockKnowledge => ({
  ticket,
  deciders,
  nowMs: after(90_000).getTime(),
  levelNeeded: 1,
  ...changes,
});
const codeOf = (value: unknown, knowledge: LockKnowledge): string => {
  const checked = checkDecision(value, knowledge);
  return checked.ok ? 'ok' : checked.code;
};

describe('checkDecision', () => {
  const ticket = sampleTicket();
  const yes = sampleDecision(ticket, human);

  test('accepts a human’s and a rule’s decision', () => {
    expect(codeOf(yes, known(ticket))).toBe('ok');
    expect(codeOf(sampleDecision(ticket, auto, { rule: 'auto.exec' }), known(ticket))).toBe('ok');
    expect(codeOf(sampleDecision(ticket, human, { verdict: 'denied', reason: 'no' }), known(ticket))).toBe(
      'ok',
    );
  });

  test('E_BAD_DECISION: nothing, text, another shape, an unknown key, a reason with an approval', () => {
    const { decision, signature } = yes;
    const bad: readonly unknown[] = [
      null,
      undefined,
      'yes',
      [],
      {},
      { decision, signature, more: 1 },
      { decision: { ...decision, more: 1 }, signature },
      { decision: { ...decision, v: 2 }, signature },
      { decision: { ...decision, verdict: 'yes' }, signature },
      { decision: { ...decision, rule: 'auto' }, signature },
      { decision: { ...decision, reason: 'x' }, signature },
      { decision: { ...decision, decided_at: '2026-01-31T12:01:00Z' }, signature },
      { decision: { ...decision, key: `${decision.key}=` }, signature },
      { decision, signature: signature.slice(1) },
      { decision: JSON.stringify(decision), signature },
    ];
    for (const value of bad) expect(codeOf(value, known(ticket))).toBe('E_BAD_DECISION');
  });

  test('E_UNKNOWN_DECIDER: a key that is not in the key file', () => {
    expect(codeOf(sampleDecision(ticket, stranger), known(ticket))).toBe('E_UNKNOWN_DECIDER');
  });

  test('E_BAD_SIGNATURE: another key’s, another context’s, over another decision', () => {
    const forged = sampleDecision(ticket, { key: human.key, privateKey: stranger.privateKey });
    expect(codeOf(forged, known(ticket))).toBe('E_BAD_SIGNATURE');
    const elsewhere = signCanonical('lockkit ticket v1', yes.decision, human);
    expect(codeOf({ ...yes, signature: elsewhere }, known(ticket))).toBe('E_BAD_SIGNATURE');
    const no = sampleDecision(ticket, human, { verdict: 'denied' });
    expect(codeOf({ decision: yes.decision, signature: no.signature }, known(ticket))).toBe(
      'E_BAD_SIGNATURE',
    );
  });

  test('E_OTHER_TICKET: a decision for another ticket, or for other content under the same id', () => {
    expect(codeOf(sampleDecision(sampleTicket(), human), known(ticket))).toBe('E_OTHER_TICKET');
    const other = { ...ticket, subject_hash: 'f'.repeat(64) };
    expect(codeOf(sampleDecision(other, human), known(ticket))).toBe('E_OTHER_TICKET');
  });

  test('E_BAD_ROLE: a human’s key signs no rule, an auto key signs no human and no other kind', () => {
    expect(codeOf(sampleDecision(ticket, human, { rule: 'auto.exec' }), known(ticket))).toBe('E_BAD_ROLE');
    expect(codeOf(sampleDecision(ticket, auto, { rule: 'human' }), known(ticket))).toBe('E_BAD_ROLE');
    expect(codeOf(sampleDecision(ticket, auto, { rule: 'auto.run' }), known(ticket))).toBe('E_BAD_ROLE');
  });

  test('E_NEVER_AUTO: an automatic approval; an automatic denial counts', () => {
    const strict = sampleTicket({ never_auto: true });
    expect(codeOf(sampleDecision(strict, auto, { rule: 'auto.exec' }), known(strict))).toBe('E_NEVER_AUTO');
    const no = sampleDecision(strict, auto, { rule: 'auto.exec', verdict: 'denied' });
    expect(codeOf(no, known(strict))).toBe('ok');
  });

  test('E_OLD_DECISION: from before the ticket, or from the future', () => {
    const skew = TICKET_LIMITS.clockSkewMs;
    const at = (ms: number): string =>
      codeOf(sampleDecision(ticket, human, { now: after(ms) }), known(ticket, { nowMs: START.getTime() }));
    expect([at(-skew - 1), at(-skew), at(skew), at(skew + 1)]).toEqual([
      'E_OLD_DECISION',
      'ok',
      'ok',
      'E_OLD_DECISION',
    ]);
  });

  test('E_LEVEL: a human’s approval below the level; an unknown level is 1; a denial counts at any', () => {
    const at = (desktopLevel: 1 | 2 | 3): string =>
      codeOf(sampleDecision(ticket, human, { desktopLevel }), known(ticket, { levelNeeded: 3 }));
    expect([at(1), at(2), at(3)]).toEqual(['E_LEVEL', 'E_LEVEL', 'ok']);
    const { decision } = yes;
    const { desktop_level: _level, ...bare } = decision;
    const signed = { decision: bare, signature: signCanonical('lockkit decision v1', bare, human) };
    expect(codeOf(signed, known(ticket, { levelNeeded: 2 }))).toBe('E_LEVEL');
    const no = sampleDecision(ticket, human, { verdict: 'denied', desktopLevel: 1 });
    expect(codeOf(no, known(ticket, { levelNeeded: 3 }))).toBe('ok');
  });

  test('E_SEALED: values that are missing, too many, or where there are no inputs', () => {
    const inputs = [{ name: 'a.b', placeholder: 'x', kind: 'text' as const, max_bytes: 8 }];
    const asking = sampleTicket({ inputs, never_auto: true, seal_key: human.key });
    const value = { enc: human.key, ct: 'AAAA' };
    const sealed = (values: NonNullable<SignedDecision['decision']['sealed']>): string =>
      codeOf(sampleDecision(asking, human, { sealed: values }), known(asking));
    expect(codeOf(sampleDecision(asking, human), known(asking))).toBe('E_SEALED');
    expect(sealed({ 'a.c': value })).toBe('E_SEALED');
    expect(sealed({ 'a.b': value, 'a.c': value })).toBe('E_SEALED');
    expect(sealed({ 'a.b': value })).toBe('ok');
    expect(codeOf(sampleDecision(ticket, human, { sealed: { x: value } }), known(ticket))).toBe('E_SEALED');
  });

  test('isUnfit: what a real decider signed ends the ticket, what nobody signed does not', () => {
    expect(isUnfit('E_LEVEL') && isUnfit('E_NEVER_AUTO') && isUnfit('E_OLD_DECISION')).toBe(true);
    expect(isUnfit('E_BAD_SIGNATURE') || isUnfit('E_OTHER_TICKET') || isUnfit('E_NOT_PENDING')).toBe(false);
  });

  test('no change of any field of a signed decision is ever accepted', () => {
    const { decision } = yes;
    const names = Object.keys(decision) as (keyof typeof decision)[];
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.jsonValue(), (name, value) => {
        fc.pre(JSON.stringify(decision[name]) !== JSON.stringify(value));
        const changed = { decision: { ...decision, [name]: value }, signature: yes.signature };
        expect(codeOf(changed, known(ticket))).not.toBe('ok');
      }),
    );
  });

  test('no change of any field of the ticket keeps a decision for it', () => {
    const names = Object.keys(ticket) as (keyof Ticket)[];
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.jsonValue(), (name, value) => {
        fc.pre(JSON.stringify(ticket[name]) !== JSON.stringify(value));
        expect(checkSaying(yes, { ...ticket, [name]: value } as Ticket, deciders).ok).toBe(false);
      }),
    );
  });
});

describe('verifyTicket', () => {
  const lock = sampleConsole();
  const signed = lock.sign();

  test('the console’s own signature, over the whole ticket, under its own context', () => {
    expect(verifyTicket(signed, lock.signing.key)).toBe(true);
    expect(verifyTicket(signed, makeSigningKey().key)).toBe(false);
    const elsewhere = signCanonical('lockkit decision v1', signed.ticket, lock.signing);
    expect(verifyTicket({ ...signed, signature: elsewhere }, lock.signing.key)).toBe(false);
    const other = { ...signed.ticket, never_auto: true };
    expect(verifyTicket({ ...signed, ticket: other }, lock.signing.key)).toBe(false);
  });

  test('parseSignedTicket: what does not hold together is no ticket', () => {
    const ok = (changes: object): boolean => parseSignedTicket(lock.sign(changes as Partial<Ticket>)).ok;
    expect(ok({})).toBe(true);
    const inputs = [{ name: 'a.b', placeholder: 'x', kind: 'text', max_bytes: 8 }];
    const seal_key = lock.signing.key;
    expect(ok({ inputs, seal_key, never_auto: true })).toBe(true);
    expect(ok({ inputs, never_auto: true })).toBe(false);
    expect(ok({ seal_key })).toBe(false);
    expect(ok({ inputs, seal_key, never_auto: false })).toBe(false);
    expect(ok({ inputs: [...inputs, ...inputs], seal_key, never_auto: true })).toBe(false);
    expect(ok({ inputs: [], seal_key, never_auto: true })).toBe(false);
    expect(ok({ expires_at: START.toISOString() })).toBe(false);
    expect(ok({ expires_at: after(TICKET_LIMITS.decideMs + 1).toISOString() })).toBe(false);
    expect(ok({ id: 't_0123456789abcdef' })).toBe(false);
    expect(ok({ id: 't_012345678IABCDEF' })).toBe(false);
    expect(ok({ risk: 'none' })).toBe(false);
    expect(ok({ peer_uid: -1 })).toBe(false);
    expect(ok({ unknown: 1 })).toBe(false);
  });
});

describe('verifyCanonical', () => {
  test('never throws and never accepts: any text as key or signature', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (key, signature) => {
        expect(verifyCanonical('lockkit ticket v1', { a: 1 }, key, signature)).toBe(false);
      }),
    );
    const zero = Buffer.alloc(32).toString('base64url');
    expect(verifyCanonical('lockkit ticket v1', {}, zero, Buffer.alloc(64).toString('base64url'))).toBe(
      false,
    );
  });

  test('one spelling of a key and a signature only', () => {
    const key = makeSigningKey();
    const signature = signCanonical('lockkit ticket v1', { a: 1 }, key);
    expect(verifyCanonical('lockkit ticket v1', { a: 1 }, key.key, signature)).toBe(true);
    for (const spelled of [`${signature}=`, ` ${signature}`, `${signature.slice(0, -1)}-`, `${signature}A`])
      expect(verifyCanonical('lockkit ticket v1', { a: 1 }, key.key, spelled)).toBe(false);
  });

  test('a signature survives JSON, whatever the ticket’s text', () => {
    const key = makeSigningKey();
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const ticket = sampleTicket({ screen: { title: [text], origin: [], sections: [], warnings: [] } });
        const sent = sampleDecision(JSON.parse(JSON.stringify(ticket)) as Ticket, key);
        const parsed = parseSignedDecision(JSON.parse(JSON.stringify(sent)));
        expect(parsed.ok && verifyDecision(parsed.value)).toBe(true);
        expect(sent.decision.ticket_hash).toBe(hashTicket(ticket));
      }),
      { numRuns: 50 },
    );
  });
});
