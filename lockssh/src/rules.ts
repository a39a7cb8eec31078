// @lockkit/lockssh/rules: allow rules and the limits of an argv. Pure code without dependencies: safe for the
// agent's side, for the authoring commands and for the console alike.
export {
  allowOrder,
  MAX_SETS,
  type AllowComparison,
  type AllowLanguage,
} from './rules/language/allow-order.js';
export { matchLanguage, openLanguage, type OpenLanguage } from './rules/language/open-language.js';
export { ARGV_LIMITS, checkArgv } from './rules/check-argv.js';
export { matchGlob, type GlobResult } from './rules/glob.js';
export {
  matchRules,
  renderParting,
  type Nearest,
  type Parting,
  type RulesMatch,
} from './rules/match-rules.js';
export { parseRule, type Rule, type RuleParse } from './rules/parse-rule.js';
export { reviewRule, type RuleWarning, type RuleWarningCode } from './rules/review-rule.js';
export type { RiskKind } from './rules/risky-program.js';
export type { RuleProblem, RuleProblemCode } from './rules/rule-problem.js';
export { isShellBuiltin } from './rules/shell-words.js';
