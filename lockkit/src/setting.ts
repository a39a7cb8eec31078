// lockkit/setting: what root and the project decide about where a lock lives.
export { findProjectRoot } from './setting/project-root.js';
export { loadSystemSettings, systemFile, type SystemSettings } from './setting/system-settings.js';
export { projectFolder, resolveHome, stateFolder, userFolder } from './config/folders.js';
export { auditFolder } from './setting/audit-folder.js';
