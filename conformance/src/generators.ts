// Expands the generators of a case (`{"repeat": [text, n]}`, `{"args": [value, n]}`, keys ending in `_gen` or
// `_json`), so that no kind and no adapter has to know them. Called by the runner before anything runs a case.
// It must never build more than a bounded amount: a case file is data from somebody else.
import type { Json, JsonObject } from './kind.js';

/** Bytes-ish bound (UTF-16 units) of one expanded text, and bound of the arguments of one expanded list. */
export const MAX_EXPANDED_UNITS = 64 * 1024 * 1024;
export const MAX_EXPANDED_ITEMS = 100_000;

/** A generator that is malformed or too large; the message says which, and holds nothing of the case. */
export class GeneratorMistake extends Error {
  override readonly name = 'GeneratorMistake';
}

/**
 * The input with every `NAME_gen` and `NAME_json` joined by its plain `NAME` (the generator stays beside it).
 * Texts (`toml`, `text`, …) are joined, `argv` and every other list that holds `args` is spliced.
 */
export function expandInput(input: JsonObject): JsonObject {
  const expanded: Record<string, Json> = { ...input };
  for (const [key, value] of Object.entries(input)) {
    if (key.endsWith('_json')) expanded[key.slice(0, -5)] = parseJsonText(value);
    if (key.endsWith('_gen')) expanded[key.slice(0, -4)] = expandNamed(key.slice(0, -4), value);
  }
  return expanded;
}

function expandNamed(name: string, value: Json): Json {
  return name === 'argv' || name === 'args' ? expandList(value) : expandText(value);
}

function expandText(value: Json): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return bounded(value.map((part: Json) => expandText(part)));
  const [text, count] = generator(value, 'repeat');
  const unit = expandText(text);
  if (unit.length * count > MAX_EXPANDED_UNITS) throw new GeneratorMistake('a repeated text is too large');
  return unit.repeat(count);
}

function bounded(parts: readonly string[]): string {
  const units = parts.reduce((sum, part) => sum + part.length, 0);
  if (units > MAX_EXPANDED_UNITS) throw new GeneratorMistake('an expanded text is too large');
  return parts.join('');
}

function expandList(value: Json): readonly string[] {
  if (!Array.isArray(value)) throw new GeneratorMistake('an argv generator must be a list');
  const items: string[] = [];
  for (const part of value as readonly Json[]) {
    for (const item of expandItem(part)) items.push(item);
    if (items.length > MAX_EXPANDED_ITEMS) throw new GeneratorMistake('an expanded list is too long');
  }
  return items;
}

function expandItem(part: Json): readonly string[] {
  if (!isObject(part) || !('args' in part)) return [expandText(part)];
  const [value, count] = generator(part, 'args');
  if (count > MAX_EXPANDED_ITEMS) throw new GeneratorMistake('an expanded list is too long');
  return new Array<string>(count).fill(expandText(value));
}

/** `{NAME: [value, n]}` as its two parts; n is a whole number from 0. */
function generator(value: Json, name: 'repeat' | 'args'): readonly [Json, number] {
  const pair = isObject(value) && Object.keys(value).length === 1 ? value[name] : undefined;
  if (!Array.isArray(pair) || pair.length !== 2)
    throw new GeneratorMistake(`a generator must be {"${name}": [value, n]}`);
  const [unit, count] = pair as readonly Json[];
  if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 0) {
    throw new GeneratorMistake(`the count of a "${name}" must be a whole number from 0`);
  }
  return [unit as Json, count];
}

function parseJsonText(value: Json): Json {
  if (typeof value !== 'string') throw new GeneratorMistake('a "_json" input must be a text');
  try {
    return JSON.parse(value) as Json;
  } catch {
    throw new GeneratorMistake('a "_json" input must hold JSON');
  }
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
