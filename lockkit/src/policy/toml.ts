// Bytes of a policy file to plain values: size limit, strict UTF-8, TOML, then only what a policy may hold. The only
// file of the policy that knows the TOML library. Its messages are never passed on: they quote the file.
import { parse, stringify, TomlError } from 'smol-toml';
import type { Plain } from './field.js';
import { isVisibleText } from './fields/text.js';
import { locateKeys } from './locate-keys.js';
import type { KeyPath, Loaded, PolicyProblem } from './problem.js';

/** A file that was read once. `name` is only for messages. */
export interface PolicyFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export type PlainTable = { readonly [key: string]: Plain };

export interface TomlDocument {
  readonly file: string;
  readonly text: string;
  readonly table: PlainTable;
  /** The line (from 1) of a key, or of its nearest parent that has one. */
  readonly lineOf: (path: KeyPath) => number | undefined;
}

export const MAX_POLICY_BYTES = 1024 * 1024;
/** Tables in tables; a profile needs four. */
const MAX_DEPTH = 16;

class TooDeep extends Error {}
class NotPlain extends Error {
  readonly path: KeyPath;
  constructor(path: KeyPath, message: string) {
    super(message);
    this.path = path;
  }
}

/** The file as plain values, or the first problem. Never throws for what a file may hold. */
export function parseTomlFile(file: PolicyFile): Loaded<TomlDocument> {
  const fail = (problem: Omit<PolicyProblem, 'file'>): Loaded<TomlDocument> => ({
    ok: false,
    problems: [{ file: file.name, ...problem }],
  });
  if (file.bytes.byteLength > MAX_POLICY_BYTES)
    return fail({
      code: 'too_large',
      message: `a policy file holds at most ${String(MAX_POLICY_BYTES)} bytes`,
    });
  const text = decodeStrictly(file.bytes);
  if (text === null) return fail({ code: 'not_utf8', message: 'the file is not valid UTF-8' });
  let lineOf: TomlDocument['lineOf'] = () => undefined;
  try {
    const raw = parse(text, { integersAsBigInt: true, maxDepth: MAX_DEPTH });
    lineOf = locateKeys(text);
    return { ok: true, value: { file: file.name, text, table: plainTable(raw, []), lineOf } };
  } catch (error) {
    return fail(problemOf(error, lineOf));
  }
}

function decodeStrictly(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function problemOf(error: unknown, lineOf: TomlDocument['lineOf']): Omit<PolicyProblem, 'file'> {
  if (error instanceof TooDeep) return { code: 'too_deep', message: 'tables are nested too deeply' };
  if (error instanceof NotPlain) {
    const line = lineOf(error.path);
    return { code: 'bad_value', ...(line === undefined ? {} : { line }), message: error.message };
  }
  if (!(error instanceof TomlError)) return { code: 'not_toml', message: 'the file is not valid TOML' };
  const twice = error.message.includes('redefine an already defined');
  const message = twice ? 'a key or table is defined twice' : 'the file is not valid TOML here';
  return { code: 'not_toml', line: error.line, column: error.column, message };
}

function plainTable(raw: object, path: KeyPath): PlainTable {
  if (path.length > MAX_DEPTH) throw new TooDeep();
  const table = Object.create(null) as Record<string, Plain>;
  for (const [key, value] of Object.entries(raw)) table[key] = plainValue(value, [...path, key]);
  return table;
}

function plainValue(value: unknown, path: KeyPath): Plain {
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'bigint') return plainInteger(value, path);
  if (Array.isArray(value)) return value.map((one, index) => plainValue(one, [...path, index]));
  if (typeof value === 'number') throw new NotPlain(path, 'a number must be whole, without a point');
  if (value instanceof Date) throw new NotPlain(path, 'a policy holds no dates');
  return plainTable(value as object, path);
}

function plainInteger(value: bigint, path: KeyPath): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new NotPlain(path, 'this number is out of range');
  return number;
}

/** TOML text of one table of plain values. */
export function encodeToml(table: PlainTable): string {
  return stringify(table);
}

/** A TOML basic string: quotes and backslashes escaped, and everything that a reader of the file would not see. */
export function encodeTomlText(text: string): string {
  const parts = Array.from(text, (one) => {
    if (one === '"' || one === '\\') return `\\${one}`;
    if (isVisibleText(one)) return one;
    return `\\U${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(8, '0')}`;
  });
  return `"${parts.join('')}"`;
}
