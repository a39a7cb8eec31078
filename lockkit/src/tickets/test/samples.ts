// Tickets, decisions and consoles for tests, made as the real parts make them.
import { randomBytes } from 'node:crypto';
import { untrusted } from '../../approval/untrusted.js';
import { signDecision, type Saying, type SignedDecision } from '../decision.js';
import type { HubConsole } from '../hub-entry.js';
import { signTicket, type SignedTicket } from '../signed-ticket.js';
import { makeSigningKey, type SigningKey } from '../signing.js';
import { hashSubject, makeTicketId, TICKET_LIMITS, type Ticket } from '../ticket.js';

export const START = new Date('2026-01-31T12:00:00.000Z');

export function after(ms: number): Date {
  return new Date(START.getTime() + ms);
}

export function sampleTicket(changes: Partial<Ticket> = {}): Ticket {
  return {
    v: 1,
    id: makeTicketId(randomBytes),
    lock: 'lockssh',
    instance: '',
    profile: 'web',
    kind: 'exec',
    risk: 'write',
    never_auto: false,
    screen: {
      title: [untrusted('WEB'), ' · a command outside the rules'],
      origin: [['requested by uid 1000']],
      sections: [
        { kind: 'facts', facts: [{ label: 'command', value: [{ kind: 'argv', argv: ['id', 'x y'] }] }] },
      ],
      warnings: [],
      question: { kind: 'yes_no' },
    },
    subject_hash: hashSubject({ argv: ['id', 'x y'] }),
    policy_fingerprint: hashSubject('policy'),
    peer_uid: 1000,
    audit_head: `7:${'0'.repeat(64)}`,
    created_at: START.toISOString(),
    expires_at: after(TICKET_LIMITS.decideMs).toISOString(),
    ...changes,
  };
}

export interface SampleConsole {
  readonly signing: SigningKey;
  readonly row: HubConsole;
  readonly sign: (changes?: Partial<Ticket>) => SignedTicket;
}

export function sampleConsole(signing: SigningKey = makeSigningKey()): SampleConsole {
  return {
    signing,
    row: {
      lock: 'lockssh',
      instance: '',
      profile: 'web',
      version: '0.1.0',
      key: signing.key,
      since: START.toISOString(),
    },
    sign: (changes = {}) => signTicket(sampleTicket(changes), signing),
  };
}

/** A human's approval a minute later, at level 3, unless told otherwise. */
export function sampleDecision(
  ticket: Ticket,
  decider: SigningKey,
  changes: Partial<Saying> = {},
): SignedDecision {
  const saying: Saying = { verdict: 'approved', rule: 'human', now: after(60_000), desktopLevel: 3 };
  return signDecision(ticket, { ...saying, ...changes }, decider);
}
