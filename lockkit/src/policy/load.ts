// Policy files in memory to policies. The only way a policy comes into being from what somebody wrote; the console,
// `policy check`, `policy diff` and `profile add` all load through here. One bad profile refuses the whole file.
import { loadPii, NO_PII_RULES, type PatternCheck } from './load-pii.js';
import { checkKeys, isTable, loadProfile, Reporter } from './load-profile.js';
import type { Loaded, PolicyProblem } from './problem.js';
import type { PiiRules, PolicyValues, ProfileDefinition } from './profile.js';
import { isProfileName, PROFILE_NAME_RULE } from './profile-name.js';
import { sortedSet } from './sets.js';
import { parseTomlFile, type PolicyFile, type TomlDocument } from './toml.js';

export interface PolicyFiles {
  readonly config?: PolicyFile;
  readonly pii?: PolicyFile;
}

export interface LoadOptions {
  readonly checkPattern: PatternCheck;
}

/** Profile tables and PII rules of one folder, not yet put together. */
export interface LoadedFolder {
  readonly profiles: ReadonlyMap<string, PolicyValues>;
  readonly pii: PiiRules;
}

/** The profiles and rules of one folder's files; an absent file holds nothing. */
export function loadFolder<P>(
  definition: ProfileDefinition<P>,
  files: PolicyFiles,
  { checkPattern }: LoadOptions,
): Loaded<LoadedFolder> {
  const profiles = files.config === undefined ? none : loadConfig(definition, files.config);
  const pii = loadPiiOf(definition, files.pii, checkPattern);
  if (profiles.ok && pii.ok) return { ok: true, value: { profiles: profiles.value, pii: pii.value } };
  return { ok: false, problems: [...problemsOf(profiles), ...problemsOf(pii)] };
}

const none: Loaded<ReadonlyMap<string, PolicyValues>> = { ok: true, value: new Map() };

function problemsOf(loaded: Loaded<unknown>): readonly PolicyProblem[] {
  return loaded.ok ? [] : loaded.problems;
}

function loadPiiOf<P>(
  definition: ProfileDefinition<P>,
  file: PolicyFile | undefined,
  check: PatternCheck,
): Loaded<PiiRules> {
  if (file === undefined) return { ok: true, value: NO_PII_RULES };
  if (definition.piiKinds !== undefined) return loadPii(definition as ProfileDefinition<never>, file, check);
  return {
    ok: false,
    problems: [{ code: 'unsafe_file', file: file.name, message: 'this lock reads no pii.toml' }],
  };
}

/** Every profile of a config.toml, without PII rules. */
function loadConfig<P>(
  definition: ProfileDefinition<P>,
  file: PolicyFile,
): Loaded<ReadonlyMap<string, PolicyValues>> {
  const parsed = parseTomlFile(file);
  if (!parsed.ok) return parsed;
  const report = new Reporter(parsed.value);
  const profiles = readProfiles(definition, parsed.value, report);
  return report.problems.length > 0
    ? { ok: false, problems: report.problems }
    : { ok: true, value: profiles };
}

function readProfiles<P>(
  definition: ProfileDefinition<P>,
  { table }: TomlDocument,
  report: Reporter,
): ReadonlyMap<string, PolicyValues> {
  const profiles = new Map<string, PolicyValues>();
  checkKeys(table, ['profiles'], [], report);
  const all = Object.hasOwn(table, 'profiles') ? table['profiles'] : {};
  if (!isTable(all)) {
    report.add('bad_value', ['profiles'], 'must be tables: [profiles.NAME]');
    return profiles;
  }
  const folded = new Set<string>();
  for (const [name, profile] of Object.entries(all)) {
    const path = ['profiles', name];
    if (!isProfileName(name)) report.add('bad_name', path, PROFILE_NAME_RULE);
    else if (folded.has(name.toLowerCase()))
      report.add('bad_name', path, 'two names differ in letter case only');
    else if (!isTable(profile)) report.add('bad_value', path, 'must be a table');
    else {
      folded.add(name.toLowerCase());
      const policy = loadProfile(definition, profile, path, report);
      if (policy !== undefined) profiles.set(name, policy);
    }
  }
  return profiles;
}

/** Where a policy came from. */
export type PolicySource = 'project' | 'user';

export interface LoadedPolicy<P> {
  readonly profile: string;
  readonly source: PolicySource;
  readonly policy: P;
  /** The user's profile of the same name that this project's profile replaces, with the same PII rules added. */
  readonly replaces?: P;
}

export interface PolicySources {
  readonly project?: PolicyFiles;
  readonly user?: PolicyFiles;
}

/**
 * Every profile that is in reach, by name: a project's replaces the user's of the same name as a whole. PII rules of
 * both folders add up: a project never takes a mask rule of the user away, and an allow rule waits for the human.
 */
export function loadPolicies<P>(
  definition: ProfileDefinition<P>,
  sources: PolicySources,
  options: LoadOptions,
): Loaded<ReadonlyMap<string, LoadedPolicy<P>>> {
  const project = loadFolder(definition, sources.project ?? {}, options);
  const user = loadFolder(definition, sources.user ?? {}, options);
  if (!project.ok || !user.ok) return { ok: false, problems: [...problemsOf(project), ...problemsOf(user)] };
  const userPii = addPii(definition, user.value.pii, NO_PII_RULES);
  const bothPii = addPii(definition, project.value.pii, user.value.pii);
  const policies = new Map<string, LoadedPolicy<P>>();
  for (const [profile, values] of user.value.profiles)
    policies.set(profile, { profile, source: 'user', policy: { ...values, pii: bothPii } as P });
  for (const [profile, values] of project.value.profiles) {
    const replaced = user.value.profiles.get(profile);
    const replaces = replaced === undefined ? {} : { replaces: { ...replaced, pii: userPii } as P };
    policies.set(profile, {
      profile,
      source: 'project',
      policy: { ...values, pii: bothPii } as P,
      ...replaces,
    });
  }
  return { ok: true, value: policies };
}

function addPii<P>(definition: ProfileDefinition<P>, one: PiiRules, other: PiiRules): PiiRules {
  if (definition.piiKinds === undefined) return NO_PII_RULES;
  return { mask: sortedSet([...one.mask, ...other.mask]), allow: sortedSet([...one.allow, ...other.allow]) };
}

/** The policy of one profile, or a problem when there is none of that name. */
export function loadPolicy<P>(
  definition: ProfileDefinition<P>,
  sources: PolicySources,
  profile: string,
  options: LoadOptions,
): Loaded<LoadedPolicy<P>> {
  const all = loadPolicies(definition, sources, options);
  if (!all.ok) return all;
  const found = all.value.get(profile);
  if (found !== undefined) return { ok: true, value: found };
  const file = sources.project?.config?.name ?? sources.user?.config?.name ?? 'config.toml';
  return {
    ok: false,
    problems: [{ code: 'no_profile', file, message: 'no profile of this name is configured' }],
  };
}
