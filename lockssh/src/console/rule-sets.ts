// The allow rules in force, parsed once for each policy. Called for every run; a rule that does not parse cannot
// be in force, so meeting one here is a bug.
import type { AllowLanguage } from 'lockkit/policy';
import { parseRule, type Rule } from '../rules/parse-rule.js';

export type RuleSets = readonly (readonly Rule[])[];

export function parseRuleSets(allow: AllowLanguage): RuleSets {
  return allow.map((rules) =>
    rules.map((text) => {
      const parsed = parseRule(text);
      if (!parsed.ok) throw new Error('a rule in force does not parse');
      return parsed.rule;
    }),
  );
}
