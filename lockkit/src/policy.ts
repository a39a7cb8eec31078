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
export {
  comparePolicies,
  verdictOf,
  changesTarget,
  type PolicyChange,
  type Verdict,
} from './policy/compare.js';
export { meetPolicies } from './policy/meet.js';
export { fingerprint } from './policy/fingerprint.js';
export {
  decidePolicy,
  type Broken,
  type DecisionInput,
  type FirstApproval,
  type InForce,
  type PendingChange,
  type PolicyDecision,
} from './policy/decide.js';
export {
  addMask,
  approvePolicy,
  maskRulesOf,
  masksOutsideFile,
  MAX_ADDED_MASKS,
  refusePolicy,
  reopenPolicy,
  type MaskRules,
} from './policy/review-steps.js';
export {
  EMPTY_STATE,
  recordOf,
  type AddedMask,
  type PolicyRecord,
  type PolicyState,
} from './policy/state.js';
export { openPolicyStore, type PolicyKey, type PolicyStore, type StoreOptions } from './policy/store.js';
export { openPolicySources, readFolder, type Place } from './policy/open-sources.js';
export {
  reviewChanges,
  reviewFirst,
  reviewPending,
  type PolicyReview,
  type ReviewContext,
  type ReviewGroup,
  type ReviewItem,
} from './policy/review.js';
export { diffPolicies, type PolicyDiff } from './policy/diff.js';
export { checkPolicyFile, remarksOn, type PolicyRemark, type PolicyReport } from './policy/check.js';
export { addProfile, addProfileText, type AddedProfile, type AddedText } from './policy/add-profile.js';
export { addMaskRule, appendMaskRule } from './policy/append-mask.js';
