// The approved copies on disk: one file a project and profile, 0600 in a 0700 folder of the console's account, outside
// every project, replaced as a whole. What does not parse or is not ours alone stops the console: a guess could only
// be an approval that nobody gave.
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readGuardedFile, renderRefusal } from '../config/read-guarded-file.js';
import { replaceFile } from '../config/replace-file.js';
import { Fault } from '../contract/fault.js';
import type { PolicyValues, ProfileDefinition } from './profile.js';
import { acceptRecord, EMPTY_STATE, stateSchema, type PolicyState, type StateJson } from './state.js';

/** Whose policy: a project's absolute root, or null for the account's own configuration. */
export interface PolicyKey {
  readonly projectRoot: string | null;
  readonly profile: string;
}

export interface PolicyStore<P> {
  /** Throws Fault E_POLICY when the file is damaged or others may write it. */
  readonly read: (key: PolicyKey) => PolicyState<P>;
  /** On disk when it returns; throws Fault E_INTERNAL. */
  readonly write: (key: PolicyKey, state: PolicyState<P>) => void;
}

export interface StoreOptions<P> {
  /** The lock's state folder; the store makes `policy` in it. */
  readonly folder: string;
  readonly definition: ProfileDefinition<P>;
  /** The console's account. */
  readonly uid: number;
}

const MAX_STATE_BYTES = 32 * 1024 * 1024;

/** Opens, and where needed makes, the store. Throws Fault E_POLICY when the folder is not this account's alone. */
export function openPolicyStore<P>({ folder, definition, uid }: StoreOptions<P>): PolicyStore<P> {
  const home = join(folder, 'policy');
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const stat = lstatSync(home);
  if (!stat.isDirectory() || stat.uid !== uid || (stat.mode & 0o077) !== 0)
    throw new Fault('E_POLICY', `${home} must be a folder of this account with mode 0700`);
  return {
    read: (key) => readState(home, key, definition, uid),
    write: (key, state) => {
      const json = stateJson(definition.lock, key, state as PolicyState<PolicyValues>);
      replaceFile(join(home, fileName(key)), Buffer.from(`${JSON.stringify(json)}\n`), 0o600);
    },
  };
}

/** `<16 hex of the project's hash | user>-<profile>.json` */
function fileName({ projectRoot, profile }: PolicyKey): string {
  const place =
    projectRoot === null ? 'user' : createHash('sha256').update(projectRoot).digest('hex').slice(0, 16);
  return `${place}-${profile}.json`;
}

function stateJson(lock: string, key: PolicyKey, state: PolicyState<PolicyValues>): StateJson {
  return {
    v: 1,
    lock,
    project: key.projectRoot,
    profile: key.profile,
    ...(state.approved === undefined ? {} : { approved: { ...state.approved } }),
    ...(state.inForce === undefined ? {} : { in_force: { ...state.inForce } }),
    refused: [...state.refused],
    added_masks: state.addedMasks.map((mask) => ({ ...mask })),
  };
}

function readState<P>(
  home: string,
  key: PolicyKey,
  definition: ProfileDefinition<P>,
  uid: number,
): PolicyState<P> {
  const name = fileName(key);
  const damaged = (why: string): Fault => new Fault('E_POLICY', `${join(home, name)}: ${why}`);
  const read = readGuardedFile(home, name, { owners: [uid], trustedGids: [], maxBytes: MAX_STATE_BYTES });
  if (read.kind === 'absent') return EMPTY_STATE;
  if (read.kind === 'refused') throw damaged(renderRefusal(read));
  const parsed = stateSchema.safeParse(parseJson(read.bytes));
  if (!parsed.success) throw damaged('the record of what was approved is damaged');
  const json = parsed.data;
  if (json.lock !== definition.lock || json.project !== key.projectRoot || json.profile !== key.profile)
    throw damaged('the record belongs to another project or profile');
  return stateOf(definition, json);
}

function stateOf<P>(definition: ProfileDefinition<P>, json: StateJson): PolicyState<P> {
  const approved = acceptRecord(definition, json.approved);
  const inForce = acceptRecord(definition, json.in_force);
  const both = approved === undefined || inForce === undefined ? {} : { approved, inForce };
  return { ...both, refused: json.refused, addedMasks: json.added_masks };
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
