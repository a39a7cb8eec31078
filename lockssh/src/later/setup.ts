// What lockssh says about itself to the commands that set it up and look after it.
import { fileURLToPath } from 'node:url';
import { openSetup } from '@lockkit/cli/setup';
import { locksshContract } from '../contract/lockssh-contract.js';
import { locksshPolicy } from './policy-parts.js';

export const locksshSetup = openSetup({
  contract: locksshContract,
  policy: locksshPolicy,
  productFolder: fileURLToPath(new URL('../..', import.meta.url)),
  needsHiddenProcesses: false,
  ownChecks: [],
  rulesOf: ({ production, auto }) => ({ production, auto, neverAuto: ['unmask'] }),
});
