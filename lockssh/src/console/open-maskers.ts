// The masker of the policy in force: one key for each console run, a new pipeline when the rules change.
// Called for every output and every command that goes into the audit.
import { randomBytes } from 'node:crypto';
import type { PolicyInForce } from 'lockkit/console';
import {
  openMasker,
  parseAllowValue,
  parseMaskRule,
  type AllowValue,
  type Masker,
  type MaskRule,
} from 'lockkit/masking';
import type { PiiAllow } from 'lockkit/policy';
import type { SshPolicy } from '../contract/profile.js';

function compile(patterns: readonly string[]): readonly MaskRule[] {
  return patterns.map((pattern) => {
    const rule = parseMaskRule(pattern);
    if (!rule.ok) throw new Error('a mask rule in force does not compile');
    return rule.value;
  });
}

function parseAllow({ kind, value }: PiiAllow): AllowValue {
  const parsed = parseAllowValue(kind, value);
  if (!parsed.ok) throw new Error('a value in force cannot be kept in clear');
  return parsed.value;
}

export function openMaskers(): (policy: PolicyInForce<SshPolicy>) => Masker {
  const key = randomBytes(32);
  let last: { readonly for: string; readonly masker: Masker } | undefined;
  return ({ value, fingerprint, maskRules }) => {
    const added = maskRules.added.map(({ pattern }) => pattern);
    const wanted = JSON.stringify([fingerprint, maskRules.reviewed, added]);
    if (last?.for !== wanted) {
      const masker = openMasker({
        detectors: value.detectors,
        key,
        maskRules: compile(maskRules.reviewed),
        agentRules: compile(added),
        allow: value.pii.allow.map(parseAllow),
      });
      last = { for: wanted, masker };
    }
    return last.masker;
  };
}
