// `policy check FILE`: does it load, and what deserves a second look. For people who write a policy before they run it;
// it needs no console and gives no approval.
import type { Remark } from './field.js';
import { loadFolder, type LoadOptions, type PolicyFiles } from './load.js';
import type { PolicyProblem } from './problem.js';
import { valueAt, type PolicyValues, type ProfileDefinition } from './profile.js';

/** A remark on a value that loads: `key` is `profiles.web.allow`, `subject` the rule it is about (text of the file). */
export interface PolicyRemark extends Remark {
  readonly key: string;
}

export interface PolicyReport {
  readonly ok: boolean;
  readonly profiles: readonly string[];
  readonly problems: readonly PolicyProblem[];
  readonly remarks: readonly PolicyRemark[];
}

export function checkPolicyFile<P>(
  definition: ProfileDefinition<P>,
  files: PolicyFiles,
  options: LoadOptions,
): PolicyReport {
  const loaded = loadFolder(definition, files, options);
  if (!loaded.ok) return { ok: false, profiles: [], problems: loaded.problems, remarks: [] };
  const { profiles } = loaded.value;
  const remarks = [...profiles].flatMap(([name, policy]) =>
    remarksOn(definition, policy, `profiles.${name}.`),
  );
  return { ok: true, profiles: [...profiles.keys()], problems: [], remarks };
}

/** What the lock remarks on the values of a policy (risky programs in allow rules, …). */
export function remarksOn<P>(
  definition: ProfileDefinition<P>,
  policy: PolicyValues,
  prefix = '',
): readonly PolicyRemark[] {
  return definition.entries.flatMap(({ path, name, field }) => {
    const value = valueAt(policy, path);
    if (value === undefined) return [];
    return field.remarks(value).map((remark) => ({ key: `${prefix}${name}`, ...remark }));
  });
}
