// `policy diff OLD NEW`: what a change of the files would mean for the human, without any console. Whole folders:
// every profile by name, and the PII rules once. An added profile loosens, a removed one tightens.
import { comparePolicies, verdictOf, type PolicyChange, type Verdict } from './compare.js';
import type { Plain } from './field.js';
import { loadFolder, type LoadedFolder, type LoadOptions, type PolicyFiles } from './load.js';
import { NO_PII_RULES } from './load-pii.js';
import type { Loaded } from './problem.js';
import { valueAt, type PolicyValues, type ProfileDefinition } from './profile.js';

export interface PolicyDiff {
  readonly verdict: Verdict;
  readonly changes: readonly PolicyChange[];
}

/** Both sides loaded and compared; `path` is `profiles.web.limits.request_timeout` or `pii.mask`. */
export function diffPolicies<P>(
  definition: ProfileDefinition<P>,
  before: PolicyFiles,
  after: PolicyFiles,
  options: LoadOptions,
): Loaded<PolicyDiff> {
  const old = loadFolder(definition, before, options);
  const next = loadFolder(definition, after, options);
  if (!old.ok || !next.ok)
    return { ok: false, problems: [...(old.ok ? [] : old.problems), ...(next.ok ? [] : next.problems)] };
  const changes = [
    ...profileChanges(definition, old.value, next.value),
    ...piiChanges(definition, old.value, next.value),
  ];
  return { ok: true, value: { verdict: verdictOf(changes), changes } };
}

function profileChanges<P>(
  definition: ProfileDefinition<P>,
  old: LoadedFolder,
  next: LoadedFolder,
): readonly PolicyChange[] {
  const names = [...new Set([...old.profiles.keys(), ...next.profiles.keys()])].toSorted();
  return names.flatMap((name): readonly PolicyChange[] => {
    const path = `profiles.${name}`;
    const [from, to] = [old.profiles.get(name), next.profiles.get(name)];
    if (from === undefined)
      return [{ path, direction: 'loosens', from: null, to: shownProfile(definition, to) }];
    if (to === undefined)
      return [{ path, direction: 'tightens', from: shownProfile(definition, from), to: null }];
    const changes = comparePolicies(definition, withPii(from), withPii(to));
    return changes.map((change) => ({ ...change, path: `${path}.${change.path}` }));
  });
}

function withPii<P>(profile: PolicyValues, pii = NO_PII_RULES): P {
  return { ...profile, pii } as P;
}

function piiChanges<P>(
  definition: ProfileDefinition<P>,
  old: LoadedFolder,
  next: LoadedFolder,
): readonly PolicyChange[] {
  const pii = { ...definition, entries: definition.entries.filter(({ origin }) => origin === 'pii') };
  return comparePolicies(pii, withPii<P>({}, old.pii), withPii<P>({}, next.pii));
}

/** A whole profile as its file could have said it. */
function shownProfile<P>(definition: ProfileDefinition<P>, profile: PolicyValues | undefined): Plain {
  const shown: Record<string, Plain> = {};
  for (const { path, field, origin } of definition.entries) {
    const value = profile === undefined ? undefined : valueAt(profile, path);
    if (origin === 'pii' || value === undefined) continue;
    const [first, second] = path as readonly [string, string?];
    if (second === undefined) shown[first] = field.show(value);
    else
      shown[first] = { ...(shown[first] as Record<string, Plain> | undefined), [second]: field.show(value) };
  }
  return shown;
}
