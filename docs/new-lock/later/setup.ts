import { fileURLToPath } from 'node:url';
import { openSetup } from '@lockkit/cli/setup';
import { contract } from '../contract.js';
import { profile } from '../profile.js';

export const productFolder = fileURLToPath(new URL('..', import.meta.url));

export const setup = openSetup({
  contract,
  policy: { definition: profile, checkPattern: () => 'lockhttp has no rules of its own' },
  productFolder,
  needsHiddenProcesses: false,
  ownChecks: [],
  rulesOf: ({ production, auto }) => ({ production, auto, neverAuto: [] }),
});
