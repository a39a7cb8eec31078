// @lockkit/lockssh/profile: the profile of lockssh, for whoever loads, compares or shows its policy.
export {
  AUTO_ACTIONS,
  PROFILE_LIMITS,
  sshProfile,
  type AutoAction,
  type SshPolicy,
} from './contract/profile.js';
