// lockkit/separation: where a console may run, how a lock is installed, and what doctor looks at.
export {
  areProcessesHidden,
  checkProgram,
  checkStart,
  standingWarnings,
  type LockTraits,
  type StartQuestion,
} from './separation/check-start.js';
export {
  decideDesktopLevel,
  type DesktopLevel,
  type DesktopReason,
  type DesktopVerdict,
} from './separation/decide-desktop-level.js';
export type { FactsIo } from './separation/facts-io.js';
export { KEPT_VARIABLES } from './separation/kept-variables.js';
export { openFactsIo } from './separation/open-facts-io.js';
export { readSessionFacts, type FactsWish } from './separation/read-session-facts.js';
export type * from './separation/session-facts.js';
export { renderRefusals, type StartCode, type StartRefusal } from './separation/start-refusal.js';
export type { InstallFacts } from './separation/install/install-facts.js';
export {
  parseInstallOptions,
  type InstallFlags,
  type InstallOptions,
} from './separation/install/install-options.js';
export { installPlaces, type InstallPlaces } from './separation/install/install-places.js';
export type { InstallPlan, InstallRefusal, InstallStep, Planned } from './separation/install/install-plan.js';
export { planInstall } from './separation/install/plan-install.js';
export { planUninstall } from './separation/install/plan-uninstall.js';
export { readInstallFacts } from './separation/install/read-install-facts.js';
export { renderScript } from './separation/install/render-script.js';
export { runScript } from './separation/install/run-script.js';
export type {
  CheckResult,
  CheckSource,
  DoctorCheck,
  DoctorReport,
} from './separation/doctor/doctor-check.js';
export { projectChecks } from './separation/doctor/check-project.js';
export { separationChecks } from './separation/doctor/check-separation.js';
export { sessionChecks } from './separation/doctor/check-session.js';
export { renderDoctor } from './separation/doctor/render-doctor.js';
export { runDoctor } from './separation/doctor/run-doctor.js';
