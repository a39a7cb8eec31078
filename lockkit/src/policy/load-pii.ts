// pii.toml to rules (using lockssh, "PII rules"): [[mask]] with a pattern, [[allow]] with kind and value.
// The pattern engine is the caller's, so that what loads here is exactly what masking will run.
import type { Plain } from './field.js';
import { checkKeys, isTable, parseField, Reporter } from './load-profile.js';
import type { Loaded } from './problem.js';
import type { PiiRules, ProfileDefinition } from './profile.js';
import { parseTomlFile, type PlainTable, type PolicyFile, type TomlDocument } from './toml.js';

/** Why the masking engine refuses a pattern: one static sentence that never repeats it; null: it runs. */
export type PatternCheck = (pattern: string) => string | null;

export const NO_PII_RULES: PiiRules = { mask: [], allow: [] };

/** The rules of one pii.toml in their normal form. */
export function loadPii(
  definition: ProfileDefinition<never>,
  file: PolicyFile,
  check: PatternCheck,
): Loaded<PiiRules> {
  const parsed = parseTomlFile(file);
  if (!parsed.ok) return parsed;
  const report = new Reporter(parsed.value);
  const rules = readRules(definition, parsed.value, check, report);
  return report.problems.length > 0 ? { ok: false, problems: report.problems } : { ok: true, value: rules };
}

function readRules(
  definition: ProfileDefinition<never>,
  { table }: TomlDocument,
  check: PatternCheck,
  report: Reporter,
): PiiRules {
  checkKeys(table, ['mask', 'allow'], [], report);
  const mask = tables(table, 'mask', ['pattern'], report).map((rule) => rule['pattern'] as Plain);
  const allow = tables(table, 'allow', ['kind', 'value'], report);
  if (report.problems.length > 0) return NO_PII_RULES;
  const rules: Record<string, unknown> = {};
  for (const entry of definition.entries) {
    if (entry.origin !== 'pii') continue;
    const key = entry.path[1] as 'mask' | 'allow';
    const leaf = key === 'mask' ? 'pattern' : undefined;
    rules[key] = parseField(entry, key === 'mask' ? mask : allow, [key], report, leaf);
  }
  mask.forEach((pattern, index) => {
    const mistake = typeof pattern === 'string' && pattern !== '' ? check(pattern) : null;
    if (mistake !== null) report.add('bad_pattern', ['mask', index, 'pattern'], mistake);
  });
  return rules as unknown as PiiRules;
}

/** The tables of `[[name]]`, each with exactly these keys. */
function tables(
  table: PlainTable,
  name: string,
  keys: readonly string[],
  report: Reporter,
): readonly PlainTable[] {
  if (!Object.hasOwn(table, name)) return [];
  const list = table[name];
  if (!Array.isArray(list) || !list.every((one: Plain) => isTable(one))) {
    report.add('bad_value', [name], `must be written as [[${name}]]`);
    return [];
  }
  const rules = list as readonly PlainTable[];
  rules.forEach((rule, index) => {
    checkKeys(rule, keys, [name, index], report);
    for (const key of keys)
      if (!Object.hasOwn(rule, key)) report.add('missing_key', [name, index, key], 'this key is required');
  });
  return rules;
}
