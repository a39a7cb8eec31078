// `profile add` (using lockssh, "Launcher verbs"): one profile appended to config.toml as text, so that comments and
// layout of the rest stay. An existing profile is never rewritten, and nothing is written that does not load again.
import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CONFIG_FILE } from '../config/folders.js';
import { holdFile } from '../config/hold-file.js';
import type { FileGuard } from '../config/read-guarded-file.js';
import { replaceFile } from '../config/replace-file.js';
import { loadFolder } from './load.js';
import { readFolder } from './open-sources.js';
import type { Loaded } from './problem.js';
import { isProfileName, PROFILE_NAME_RULE } from './profile-name.js';
import type { ProfileDefinition } from './profile.js';
import { sameValue } from './sets.js';
import { encodeToml, type PlainTable, type PolicyFile } from './toml.js';

export type AddedText = { readonly status: 'created'; readonly text: string } | { readonly status: 'exists' };

const NO_PATTERNS = { checkPattern: (): null => null };

/** The file's new text, or `exists`. Problems of the file as it is, or of the new profile, are returned as such. */
export function addProfileText<P>(
  definition: ProfileDefinition<P>,
  file: PolicyFile,
  name: string,
  values: PlainTable,
): Loaded<AddedText> {
  if (!isProfileName(name))
    return { ok: false, problems: [{ code: 'bad_name', file: file.name, message: PROFILE_NAME_RULE }] };
  const before = loadFolder(definition, { config: file }, NO_PATTERNS);
  if (!before.ok) return before;
  if (before.value.profiles.has(name)) return { ok: true, value: { status: 'exists' } };
  const text = appended(new TextDecoder().decode(file.bytes), encodeToml({ profiles: { [name]: values } }));
  const bytes = Buffer.from(text);
  const after = loadFolder(definition, { config: { name: file.name, bytes } }, NO_PATTERNS);
  if (!after.ok) return after;
  const { profiles } = after.value;
  const kept = [...before.value.profiles].every(([one, policy]) =>
    sameValue(policy, profiles.get(one) ?? null),
  );
  if (!kept || !profiles.has(name) || profiles.size !== before.value.profiles.size + 1)
    throw new Error('appending a profile changed another one');
  return { ok: true, value: { status: 'created', text } };
}

/** Text and block with one empty line between, in the line ends of the text. */
export function appended(text: string, block: string): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const gap = text === '' ? '' : /\n$/.test(text) ? end : `${end}${end}`;
  return `${text}${gap}${block.replaceAll('\n', end)}`;
}

export interface AddedProfile {
  readonly name: string;
  readonly status: 'created' | 'exists';
  readonly path: string;
}

/** Adds a profile to `folder/config.toml`, made where it is missing. Throws Fault when it cannot be written. */
export function addProfile<P>(
  definition: ProfileDefinition<P>,
  place: { readonly folder: string; readonly guard: FileGuard },
  name: string,
  values: PlainTable,
): Loaded<AddedProfile> {
  const path = join(place.folder, CONFIG_FILE);
  return editFile(place, CONFIG_FILE, (file) => {
    const added = addProfileText(definition, file, name, values);
    if (!added.ok) return added;
    const { status } = added.value;
    const result = { name, status, path };
    return {
      ok: true,
      value: added.value.status === 'created' ? { result, text: added.value.text } : { result },
    };
  });
}

interface Edit<T> {
  readonly result: T;
  /** Absent: nothing to write. */
  readonly text?: string;
}

/**
 * Reads a policy file, edits it and replaces it, while no other editor does; an absent file is an empty one. What is
 * refused or changes nothing makes no folder (it would make a project) and no lock file: an account that may only read
 * the project, as the console's, is told so all the same.
 */
export function editFile<T>(
  { folder, guard }: { readonly folder: string; readonly guard: FileGuard },
  name: 'config.toml' | 'pii.toml',
  edit: (file: PolicyFile) => Loaded<Edit<T>>,
): Loaded<T> {
  const path = join(folder, name);
  const attempt = (): Loaded<Edit<T>> => {
    const empty = { name: path, bytes: new Uint8Array() };
    if (statSync(folder, { throwIfNoEntry: false }) === undefined) return edit(empty);
    const { files, problems } = readFolder(folder, guard);
    if (problems.length > 0) return { ok: false, problems };
    return edit((name === CONFIG_FILE ? files.config : files.pii) ?? empty);
  };
  const first = attempt();
  if (!first.ok) return first;
  if (first.value.text === undefined) return { ok: true, value: first.value.result };
  makeFolder(folder);
  return holdFile(path, () => {
    const edited = attempt();
    if (!edited.ok) return edited;
    const { result, text } = edited.value;
    if (text !== undefined) replaceFile(path, Buffer.from(text), modeOf(path));
    return { ok: true, value: result };
  });
}

function makeFolder(folder: string): void {
  if (mkdirSync(folder, { recursive: true }) !== undefined) chmodSync(folder, 0o755);
}

function modeOf(path: string): number {
  return (statSync(path, { throwIfNoEntry: false })?.mode ?? 0o644) & 0o755;
}
