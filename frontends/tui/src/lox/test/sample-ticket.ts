// A ticket as a console makes it, for tests of lox.
import { createHash, randomBytes } from 'node:crypto';
import { untrusted } from 'lockkit/approval';
import type { Ticket } from 'lockkit/tickets';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

export const FINGERPRINT = hash('the policy');

export function sampleTicket(changes: Partial<Ticket> = {}): Ticket {
  const now = Date.now();
  return {
    v: 1,
    id: `t_${[...randomBytes(16)].map((byte) => CROCKFORD[byte % 32]).join('')}`,
    lock: 'lockssh',
    instance: '',
    profile: 'web',
    kind: 'exec',
    risk: 'write',
    never_auto: false,
    screen: {
      title: [untrusted('WEB'), ' · a command'],
      origin: [],
      sections: [{ kind: 'lines', lines: [[untrusted('id -un')]] }],
      warnings: [],
      question: { kind: 'yes_no' },
    },
    subject_hash: hash('id -un'),
    policy_fingerprint: FINGERPRINT,
    peer_uid: 1000,
    audit_head: `7:${'0'.repeat(64)}`,
    created_at: new Date(now).toISOString(),
    expires_at: new Date(now + 600_000).toISOString(),
    ...changes,
  };
}
