// What lockssh says about its policy to everything that loads one: the definition and the engine of its patterns.
import type { LockPolicy } from 'lockkit/console';
import { checkMaskPattern } from './check-mask-pattern.js';
import { sshProfile, type SshPolicy } from '../contract/profile.js';

export const locksshPolicy = {
  definition: sshProfile,
  checkPattern: checkMaskPattern,
} satisfies LockPolicy<SshPolicy>;
