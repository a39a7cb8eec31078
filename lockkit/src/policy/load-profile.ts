// One table of config.toml to one policy: unknown keys, values, defaults, and what must hold between fields.
// Called by the loader for every profile of a file. A problem names the key; it must never repeat a value.
import { z } from 'zod';
import type { Plain } from './field.js';
import { nearestKey } from './nearest-key.js';
import { renderKeyPath, type KeyPath, type PolicyProblem, type ProblemCode } from './problem.js';
import { policyFrom, type Entry, type Group, type PolicyValues, type ProfileDefinition } from './profile.js';
import { looksLikeSecretKey, looksLikeSecretValue } from './secret-words.js';
import type { PlainTable, TomlDocument } from './toml.js';

const MAX_PROBLEMS = 50;

/** Collects the problems of one document. */
export class Reporter {
  readonly problems: PolicyProblem[] = [];
  private readonly document: Pick<TomlDocument, 'file' | 'lineOf'>;

  constructor(document: Pick<TomlDocument, 'file' | 'lineOf'>) {
    this.document = document;
  }

  /** Nobody reads more; the rest of a hostile file costs nothing. */
  get full(): boolean {
    return this.problems.length >= MAX_PROBLEMS;
  }

  add(code: ProblemCode, path: KeyPath, message: string): void {
    if (this.full) return;
    const line = this.document.lineOf(path);
    this.problems.push({
      code,
      file: this.document.file,
      ...(line === undefined ? {} : { line }),
      key: renderKeyPath(path),
      message,
    });
  }
}

export function isTable(value: Plain | undefined): value is PlainTable {
  return typeof value === 'object' && !Array.isArray(value);
}

/** Reports every key of a table that is not one of `known`. */
export function checkKeys(
  table: PlainTable,
  known: readonly string[],
  path: KeyPath,
  report: Reporter,
): void {
  for (const key of Object.keys(table)) {
    if (report.full) return;
    if (known.includes(key)) continue;
    if (looksLikeSecretKey(key)) {
      report.add(
        'secret_key',
        [...path, key],
        'a policy never holds a secret: take it out and change that secret',
      );
      continue;
    }
    const near = nearestKey(key, known);
    const hint = near === null ? '' : ` (did you mean ${near}?)`;
    report.add('unknown_key', [...path, key], `this key is not known${hint}`);
  }
}

/** Reports every text below `value` that looks like a secret. */
function checkSecrets(value: Plain, path: KeyPath, report: Reporter): void {
  if (typeof value === 'string') {
    if (looksLikeSecretValue(value))
      report.add('secret_value', path, 'this looks like a secret, and a policy never holds one');
  } else if (Array.isArray(value)) {
    (value as readonly Plain[]).forEach((one, index) => checkSecrets(one, [...path, index], report));
  } else if (isTable(value)) {
    for (const [key, one] of Object.entries(value)) checkSecrets(one, [...path, key], report);
  }
}

/**
 * A parsed value in its normal form, or undefined after its problem was reported. `leaf` is the key that each element
 * of the list has in the file.
 */
export function parseField(
  entry: Entry,
  raw: Plain,
  path: KeyPath,
  report: Reporter,
  leaf?: string,
): unknown {
  const parsed = entry.field.schema.safeParse(raw);
  if (parsed.success) return entry.field.normalise(parsed.data);
  for (const issue of parsed.error.issues.slice(0, 8)) reportIssue(entry, issue, path, report, leaf);
  return undefined;
}

function reportIssue(
  entry: Entry,
  issue: z.core.$ZodIssue,
  path: KeyPath,
  report: Reporter,
  leaf?: string,
): void {
  const found = issue.path.filter((part) => typeof part !== 'symbol');
  const inner = leaf === undefined || found.length === 0 ? found : [...found, leaf];
  const own = issue.code === 'custom' && issue.message !== 'Invalid input' ? issue.message : null;
  const tooMany = issue.code === 'too_big' && issue.origin === 'array';
  report.add(
    tooMany ? 'too_many' : 'bad_value',
    [...path, ...inner],
    own ?? `must be ${entry.field.expects}`,
  );
}

/** The raw tables of the groups; a shorthand word stands for its table. */
function groupTable(group: Group, raw: Plain | undefined, path: KeyPath, report: Reporter): PlainTable {
  if (raw === undefined) return {};
  if (isTable(raw)) {
    checkKeys(raw, Object.keys(group.fields), path, report);
    return raw;
  }
  const words = group.shorthands ?? {};
  if (typeof raw === 'string' && Object.hasOwn(words, raw)) return words[raw] ?? {};
  const quoted = Object.keys(words).map((word) => ` or "${word}"`);
  report.add('bad_value', path, `must be a table${quoted.join('')}`);
  return {};
}

/** The policy of one profile, without PII rules; undefined when a problem was reported. */
export function loadProfile<P>(
  definition: ProfileDefinition<P>,
  table: PlainTable,
  path: KeyPath,
  report: Reporter,
): PolicyValues | undefined {
  const before = report.problems.length;
  checkKeys(table, [...Object.keys(definition.fields), ...Object.keys(definition.groups)], path, report);
  checkSecrets(table, path, report);
  const groups = Object.fromEntries(
    Object.entries(definition.groups).map(([name, group]) => [
      name,
      groupTable(group, own(table, name), [...path, name], report),
    ]),
  );
  const values = new Map<string, unknown>();
  for (const entry of definition.entries) {
    if (entry.origin !== 'profile') continue;
    const [first, second] = entry.path as readonly [string, string?];
    const raw = second === undefined ? own(table, first) : own(groups[first] ?? {}, second);
    values.set(entry.name, loadEntry(entry, raw, Object.fromEntries(values), path, report));
  }
  if (report.problems.length > before) return undefined;
  const entries = definition.entries.filter((entry) => entry.origin === 'profile');
  const policy = policyFrom(entries, (entry) => values.get(entry.name));
  for (const { path: at, message } of definition.checks(policy as P))
    report.add('conflict', [...path, ...at], message);
  return report.problems.length > before ? undefined : policy;
}

function own(table: PlainTable, key: string): Plain | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

function loadEntry(
  entry: Entry,
  raw: Plain | undefined,
  given: Readonly<Record<string, unknown>>,
  path: KeyPath,
  report: Reporter,
): unknown {
  if (raw !== undefined) return parseField(entry, raw, [...path, ...entry.path], report);
  if (!entry.field.required) return entry.field.normalise(entry.field.defaultFor(given));
  report.add('missing_key', [...path, ...entry.path], `this key is required: ${entry.field.expects}`);
  return undefined;
}
