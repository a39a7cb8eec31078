// @lockkit/cli/setup: the bodies of the set-up commands, loaded when one of them is asked for.
export { openSetup, type AutoRules, type SetupProduct } from './open-setup.js';
export { wiredLockOf } from './init-command.js';
