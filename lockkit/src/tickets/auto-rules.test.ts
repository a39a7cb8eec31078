import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decideByRules, parseProfileRules, type ProfileRules } from './auto-rules.js';
import { TICKET_KINDS, RISKS, type Ticket } from './ticket.js';
import { sampleTicket } from './test/samples.js';

const fingerprint = sampleTicket().policy_fingerprint;
const rules = (auto: ProfileRules['auto'], changes: Partial<ProfileRules> = {}): ProfileRules => ({
  profile: 'web',
  production: false,
  fingerprint,
  auto,
  never_auto: ['unmask'],
  ...changes,
});
const full = rules({ connect: 'auto', run: 'auto', exec: 'auto', unmask: 'auto' });

describe('decideByRules', () => {
  test('auto approves, ask leaves it, deny denies, each by the rule of the ticket’s kind', () => {
    const ticket = sampleTicket();
    expect(decideByRules(ticket, full)).toEqual({ kind: 'approve', rule: 'auto.exec' });
    expect(decideByRules(ticket, rules({ exec: 'ask' }))).toEqual({ kind: 'ask' });
    expect(decideByRules(ticket, rules({ exec: 'deny' }))).toEqual({ kind: 'deny', rule: 'auto.exec' });
    expect(decideByRules(ticket, rules({}))).toEqual({ kind: 'ask' });
  });

  test('another profile, another policy, an unmask, a production write, typed values: never by rule', () => {
    const asks = (ticket: Ticket, known = full): boolean => decideByRules(ticket, known).kind === 'ask';
    expect(asks(sampleTicket(), rules(full.auto, { fingerprint: 'other' }))).toBe(true);
    expect(asks(sampleTicket(), rules(full.auto, { profile: 'db' }))).toBe(true);
    expect(asks(sampleTicket({ kind: 'unmask' }))).toBe(true);
    expect(asks(sampleTicket({ risk: 'prod-write' }))).toBe(true);
    expect(asks(sampleTicket({ inputs: [] }))).toBe(true);
    expect(asks(sampleTicket({ kind: 'constructor' as never }))).toBe(true);
  });

  test('never approves a never_auto ticket, whatever the rules', () => {
    const rule = fc.constantFrom('auto' as const, 'ask' as const, 'deny' as const);
    const auto = fc.dictionary(fc.constantFrom(...TICKET_KINDS), rule);
    const ticket = fc.record({ kind: fc.constantFrom(...TICKET_KINDS), risk: fc.constantFrom(...RISKS) });
    fc.assert(
      fc.property(auto, ticket, fc.boolean(), (said, changes, production) => {
        const strict = sampleTicket({ ...changes, never_auto: true });
        expect(decideByRules(strict, rules(said, { production, never_auto: [] })).kind).not.toBe('approve');
      }),
    );
  });

  test('parseProfileRules: what a lock printed, or nothing', () => {
    expect(parseProfileRules({ ...full, more: 1 })).toMatchObject({ profile: 'web' });
    expect(parseProfileRules({ ...full, auto: { exec: 'always' } })).toBeNull();
    expect(parseProfileRules('full-auto')).toBeNull();
  });
});
