// Adds one table to a TOML file that a human keeps, by appending and proving that nothing else changed.
// Called by the planner of Codex. A file that does not parse, or where appending changes anything, is refused.
import { isDeepStrictEqual } from 'node:util';
import { type TomlTable, parse, stringify } from 'smol-toml';
import { type Edit, type FileState, refusedEdit } from './change.js';

/** Adds `[PARENT.NAME]` with the given values; an existing one is kept. */
export function addTomlTable(file: FileState, parent: string, name: string, table: TomlTable): Edit {
  if (file.kind === 'other') return refusedEdit(file.reason);
  const before = file.kind === 'text' ? file.text : '';
  const old = parseToml(before);
  if (old === undefined) return refusedEdit('it does not parse as TOML');
  const group = old[parent];
  if (group !== undefined && !isTable(group)) return refusedEdit(`its "${parent}" is not a table`);
  const existing = group !== undefined && Object.hasOwn(group, name) ? group[name] : undefined;
  if (existing !== undefined)
    return { status: isDeepStrictEqual(plain(existing), plain(table)) ? 'unchanged' : 'kept' };
  const text = before + separator(before) + withLineEnds(before, `[${parent}.${name}]\n${stringify(table)}`);
  return isOnlyAddition(old, text, parent, name, table)
    ? { status: file.kind === 'missing' ? 'create' : 'update', text }
    : refusedEdit(
        `"${parent}" is written in a form that cannot be added to; add [${parent}.${name}] by hand`,
      );
}

function isOnlyAddition(
  old: TomlTable,
  text: string,
  parent: string,
  name: string,
  table: TomlTable,
): boolean {
  const now = parseToml(text);
  const group = now?.[parent];
  if (now === undefined || group === undefined || !isTable(group)) return false;
  if (!isDeepStrictEqual(plain(group[name]), plain(table))) return false;
  const { [name]: _added, ...others } = group;
  const rest = Object.hasOwn(old, parent) ? { ...now, [parent]: others } : without(now, parent);
  return isDeepStrictEqual(plain(rest), plain(old));
}

function without(table: TomlTable, key: string): TomlTable {
  const { [key]: _gone, ...rest } = table;
  return rest;
}

function parseToml(text: string): TomlTable | undefined {
  try {
    return parse(text.replace(/^\uFEFF/u, ''));
  } catch {
    return undefined;
  }
}

function isTable(value: unknown): value is TomlTable {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** Without prototypes, so that tables compare by their content alone. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

function separator(before: string): string {
  if (before === '') return '';
  const eol = before.includes('\r\n') ? '\r\n' : '\n';
  return before.endsWith('\n') ? eol : eol + eol;
}

function withLineEnds(before: string, text: string): string {
  return before.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text;
}
