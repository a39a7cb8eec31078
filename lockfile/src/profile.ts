// @lockkit/lockfile/profile: the profile of lockfile, for whoever loads, compares or shows its policy.
export { fileProfile, PROFILE_LIMITS, type FilePolicy, type PlanRule } from './contract/profile.js';
