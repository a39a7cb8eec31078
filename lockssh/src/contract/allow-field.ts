// How the profile's `allow` list meets the rules of lockssh: which texts load, and what the review remarks on them.
// Called by the policy loader, `policy check` and the review. It must never quote a rule in a message.
import type { AllowLanguage, Remark, RuleCheck } from 'lockkit/policy';
import { parseRule } from '../rules/parse-rule.js';
import { reviewRule, type RuleWarning } from '../rules/review-rule.js';

export const checkAllowRule: RuleCheck = (text) => {
  const parsed = parseRule(text);
  return parsed.ok ? null : { message: parsed.reason.sentence, column: parsed.reason.column };
};

/** The warnings of every rule, each with the rule as its subject. */
export function remarksOnRules(language: AllowLanguage): readonly Remark[] {
  return [...new Set(language.flat())].flatMap((text) => {
    const parsed = parseRule(text);
    if (!parsed.ok) return [];
    return reviewRule(parsed.rule).map((warning) => ({ subject: text, message: sentenceOf(warning) }));
  });
}

/** Names and kinds come from our table of programs, never from the rule. */
function sentenceOf({ sentence, program, kinds }: RuleWarning): string {
  return program === undefined ? sentence : `${program} (${(kinds ?? []).join(', ')}): ${sentence}`;
}
