// The fingerprint of a policy: what an approval is given for and what a ticket was asked under.
// SHA-256 of the RFC 8785 text of the normalised policy; no field is left out.
import { createHash } from 'node:crypto';
import type { PolicyValues } from './profile.js';
import { canonicalText } from './sets.js';

/** 64 hex digits. */
export function fingerprint(policy: PolicyValues): string {
  return createHash('sha256').update(canonicalText(policy), 'utf8').digest('hex');
}
