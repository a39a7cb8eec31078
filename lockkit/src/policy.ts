// lockkit/policy: what a profile may say, and who may change it. See docs/policy.md.
export {
  defineProfile,
  type Group,
  type PiiRules,
  type PolicyOf,
  type ProfileDefinition,
} from './policy/profile.js';
export type { CrossMistake, Entry, PolicyValues } from './policy/profile.js';
export {
  field,
  type Field,
  type FieldRules,
  type Plain,
  type Remark,
  type ValueType,
} from './policy/field.js';
export { orderFrom, type Comparison, type Direction, type Order } from './policy/order.js';
export {
  extending,
  fewer,
  identity,
  larger,
  more,
  off,
  on,
  smaller,
  someOf,
  stricter,
  towards,
} from './policy/orders.js';
export { languageAsWritten, normalLanguage, type AllowLanguage } from './policy/language.js';
export { choice, flag, wholeNumber } from './policy/fields/number.js';
export { duration, parseDurationMs, renderDuration } from './policy/fields/duration.js';
export { filePath, isVisibleText, visibleText } from './policy/fields/text.js';
export { hostName, loginName } from './policy/fields/host.js';
export { allowRules, wordSet, type RuleCheck } from './policy/fields/list.js';
export type { PiiAllow } from './policy/fields/pii.js';
export { isProfileName, PROFILE_NAME_RULE } from './policy/profile-name.js';
export { renderProblem, type Loaded, type PolicyProblem, type ProblemCode } from './policy/problem.js';
export { MAX_POLICY_BYTES, type PolicyFile } from './policy/toml.js';
export type { PatternCheck } from './policy/load-pii.js';
export {
  loadPolicies,
  loadPolicy,
  type LoadedPolicy,
  type LoadOptions,
  type PolicyFiles,
  type PolicySource,
  type PolicySources,
} from './policy/load.js';
