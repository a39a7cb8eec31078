// @lockkit/cli/setup: the bodies of the set-up commands, loaded when one of them is asked for.
export { runInitCommand, wiredLockOf } from './init-command.js';
export { runInstallCommand, type InstallProduct } from './install-command.js';
export { runDoctorCommand, type DoctorProduct } from './doctor-command.js';
