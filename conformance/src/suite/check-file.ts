// Judges one file after a step. Called by check-expectation. It reads what is there and follows no link.
import { lstatSync, readFileSync } from 'node:fs';
import { parse } from 'smol-toml';
import type { Json } from '../kind.js';
import type { Entry } from './file-tree.js';
import { checkShape } from './shape.js';
import type { FileExpectation } from './suite-case.js';

export interface FileBefore {
  readonly entry: Entry | undefined;
  readonly text: string;
}

/** null, or one sentence with the path. */
export function checkFile(
  path: string,
  expected: FileExpectation,
  before: FileBefore,
  now: Entry | undefined,
): string | null {
  if (expected.absent) return now === undefined ? null : `${path} must not be there`;
  if (expected.same) return checkSame(path, before.entry, now);
  if (now === undefined) return `${path} is not there`;
  if (expected.is !== undefined && now.kind !== expected.is)
    return `${path} is a ${now.kind}, expected a ${expected.is}`;
  if (
    expected.not_writable_by !== undefined &&
    (now.mode & (expected.not_writable_by === 'others' ? 0o002 : 0o022)) !== 0
  )
    return `${path} has mode ${now.mode.toString(8)}: others can write it`;
  const content = Object.keys(expected).some((key) => key !== 'is' && key !== 'not_writable_by');
  return content ? checkContent(path, expected, before.text) : null;
}

function checkSame(path: string, before: Entry | undefined, now: Entry | undefined): string | null {
  if (before === undefined) return now === undefined ? null : `${path} is new`;
  if (now === undefined) return `${path} is gone`;
  if (now.kind !== before.kind || now.content !== before.content) return `${path} was changed`;
  if (now.mode !== before.mode) return `${path} has another mode`;
  return now.written === before.written ? null : `${path} was written again`;
}

export function readText(path: string): string {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path, 'utf8') : '';
}

function checkContent(path: string, expected: FileExpectation, before: string): string | null {
  const text = readText(path);
  if (expected.text !== undefined && text !== expected.text)
    return `${path} does not hold exactly the expected text`;
  if (expected.starts_with !== undefined && !text.startsWith(expected.starts_with))
    return `${path} does not start as it did`;
  if (expected.ends_with !== undefined && !text.endsWith(expected.ends_with))
    return `${path} does not end as it did`;
  for (const part of expected.contains ?? [])
    if (!text.includes(part)) return `${path} has lost or misses ${JSON.stringify(part)}`;
  for (const part of expected.contains_not ?? [])
    if (text.includes(part)) return `${path} holds ${JSON.stringify(part)}`;
  if (expected.keeps_all) {
    const lost = firstLostLine(before, text);
    if (lost !== null) return `${path} has lost the line ${JSON.stringify(lost)}`;
  }
  if (expected.line_ends !== undefined && !hasLineEnds(text, expected.line_ends))
    return `${path} mixes line ends, expected ${expected.line_ends}`;
  if (expected.json !== undefined) return parsed(path, 'JSON', () => JSON.parse(text) as Json, expected.json);
  if (expected.toml !== undefined) return parsed(path, 'TOML', () => parse(text) as Json, expected.toml);
  return null;
}

/** Blanks and commas aside: a file may be laid out anew where a member is added, but nothing of it may be lost. */
function firstLostLine(before: string, after: string): string | null {
  const all = bare(after);
  let at = 0;
  for (const line of before.split('\n')) {
    const wanted = bare(line);
    const found = all.indexOf(wanted, at);
    if (found < 0) return line.trim();
    at = found + wanted.length;
  }
  return null;
}

function bare(line: string): string {
  return line.replace(/[\s,]/g, '');
}

function hasLineEnds(text: string, wanted: 'crlf' | 'lf'): boolean {
  const lf = text.split('\n').length - 1;
  const crlf = text.split('\r\n').length - 1;
  return wanted === 'crlf' ? lf === crlf && lf > 0 : crlf === 0;
}

function parsed(path: string, form: string, parseText: () => Json, shape: Json): string | null {
  let value: Json;
  try {
    value = parseText();
  } catch {
    return `${path} is not valid ${form}`;
  }
  return checkShape(shape, value, path);
}
