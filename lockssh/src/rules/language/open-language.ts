// The value of `allow` in force, opened once and asked for every request: an argv is allowed when every set of the
// conjunction has a rule for it. Called by the console. It must never allow when there is no set.
import { matchRules, type RulesMatch } from '../match-rules.js';
import { parseRule, type Rule } from '../parse-rule.js';
import type { AllowLanguage } from './allow-order.js';

export type OpenLanguage = readonly (readonly Rule[])[];

/** Rules that do not load are left out: they allow nothing, here and in the comparison. */
export function openLanguage(language: AllowLanguage): OpenLanguage {
  return language.map((set) =>
    set.flatMap((text) => {
      const parsed = parseRule(text);
      return parsed.ok ? [parsed.rule] : [];
    }),
  );
}

/** The match in the first set if every set matches; else the answer of the first set that does not. */
export function matchLanguage(language: OpenLanguage, argv: readonly string[]): RulesMatch {
  const matches = language.map((rules) => matchRules(rules, argv));
  return matches.find((match) => match.kind === 'none') ?? matches[0] ?? { kind: 'none' };
}
