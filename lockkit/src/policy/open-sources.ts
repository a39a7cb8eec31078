// Reads the policy files of a project and of the account, each once, with the checks of decisions.md ("Policy": whose
// files, links, permissions). What cannot be read safely is a problem of the policy, never an absent file.
import { join } from 'node:path';
import { CONFIG_FILE, PII_FILE, projectFolder, userFolder } from '../config/folders.js';
import { readGuardedFile, renderRefusal, type FileGuard } from '../config/read-guarded-file.js';
import type { PolicyFiles, PolicySources } from './load.js';
import type { Loaded, PolicyProblem } from './problem.js';
import { MAX_POLICY_BYTES, type PolicyFile } from './toml.js';

export interface Place {
  readonly lock: string;
  /** Absolute and without links, or null: only the account's own files. */
  readonly projectRoot: string | null;
  /** The home of the account that reads. */
  readonly home: string;
  readonly xdgConfigHome?: string;
  readonly uid: number;
  /** Groups that only the owner of the files and the console are in; the account's own group at most. */
  readonly trustedGids: readonly number[];
}

interface FolderRead {
  readonly files: PolicyFiles;
  readonly problems: readonly PolicyProblem[];
}

const NOTHING: FolderRead = { files: {}, problems: [] };

/** The bytes of the four files that exist, or every reason why one must not be used. */
export function openPolicySources(place: Place): Loaded<PolicySources> {
  const { lock, projectRoot, home, uid, trustedGids } = place;
  const anyOwner = { trustedGids, maxBytes: MAX_POLICY_BYTES };
  const project = projectRoot === null ? NOTHING : readFolder(projectFolder(lock, projectRoot), anyOwner);
  const user = readFolder(userFolder(lock, home, place.xdgConfigHome), { ...anyOwner, owners: [uid, 0] });
  const problems = [...project.problems, ...user.problems];
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, value: { project: project.files, user: user.files } };
}

/** config.toml and pii.toml of one folder. */
export function readFolder(folder: string, guard: FileGuard): FolderRead {
  const config = readPolicyFile(folder, CONFIG_FILE, guard);
  // What is wrong with the folder is said once.
  if (config.problems.some(({ file }) => file === folder)) return { files: {}, problems: config.problems };
  const pii = readPolicyFile(folder, PII_FILE, guard);
  return {
    files: {
      ...(config.file === undefined ? {} : { config: config.file }),
      ...(pii.file === undefined ? {} : { pii: pii.file }),
    },
    problems: [...config.problems, ...pii.problems],
  };
}

function readPolicyFile(
  folder: string,
  name: string,
  guard: FileGuard,
): { readonly file?: PolicyFile; readonly problems: readonly PolicyProblem[] } {
  const path = join(folder, name);
  const read = readGuardedFile(folder, name, guard);
  if (read.kind === 'absent') return { problems: [] };
  if (read.kind === 'bytes') return { file: { name: path, bytes: read.bytes }, problems: [] };
  const unreadable = read.why === 'unreadable' || read.why === 'changing';
  const code = read.why === 'too_large' ? 'too_large' : unreadable ? 'unreadable' : 'unsafe_file';
  const where = read.on === 'folder' ? folder : path;
  return { problems: [{ code, file: where, message: renderRefusal(read) }] };
}
