// lockkit/config: where a lock's files are, how they are read once and safely, and how they are replaced.
export {
  CONFIG_FILE,
  PII_FILE,
  projectFolder,
  resolveHome,
  stateFolder,
  userFolder,
} from './config/folders.js';
export {
  readGuardedFile,
  renderRefusal,
  type FileGuard,
  type GuardedRead,
  type Refusal,
} from './config/read-guarded-file.js';
export { replaceFile } from './config/replace-file.js';
export { holdFile, type HoldOptions } from './config/hold-file.js';
