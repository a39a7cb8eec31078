// How the profile's `allow` list meets the rules of lockssh: which texts load, and what the review remarks on them.
// Called by the policy loader, `policy check` and the review. It must never quote a rule in a message.
import type { RuleCheck } from 'lockkit/policy';
import type { AllowLanguage, Remark } from 'lockkit/policy';
import { parseRule } from '../rules/parse-rule.js';

export const checkAllowRule: RuleCheck = (text) => {
  const parsed = parseRule(text);
  return parsed.ok ? null : { message: parsed.reason.sentence, column: parsed.reason.column };
};

export function remarksOnRules(_language: AllowLanguage): readonly Remark[] {
  return [];
}
