// What lockfile says about its policy to everything that loads one. It masks nothing, so it has no patterns.
import type { LockPolicy } from 'lockkit/console';
import { fileProfile, type FilePolicy } from '../contract/profile.js';

export const lockfilePolicy = {
  definition: fileProfile,
  checkPattern: () => 'lockfile masks nothing',
} satisfies LockPolicy<FilePolicy>;
