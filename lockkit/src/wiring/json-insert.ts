// Where a new member or item goes in the text of a JSON file that a human keeps. Called by json-edit.ts. It only ever
// inserts: nothing that stands in the file is moved, laid out anew or taken away, and each comment stays on its line.
import type { Node } from 'jsonc-parser';
import type { JsonValue } from './json-edit.js';

/** A new member of an object; an item of a list has no key. */
export type Entry = readonly [key: string | null, value: JsonValue];

const BREAK = /\r\n|[\r\n]/u;

/** The text with the entries at the end of `parent`, an object or a list of the tree of `text`. */
export function insertEntries(text: string, root: Node, parent: Node, entries: readonly Entry[]): string {
  const last = parent.children?.at(-1);
  const close = parent.offset + parent.length - 1;
  const rest = lookAt(text, last === undefined ? parent.offset + 1 : endOf(last), close);
  const pieces = isOneLine(text, root, parent)
    ? onOneLine(entries, last === undefined ? '' : ' ')
    : onLines(text, root, parent, entries);
  if (last !== undefined) return withComma(text, last, rest, `${pieces}${rest.comma ? ',' : ''}`);
  return splice(text, rest.end, pieces + closing(text, parent, pieces, text.slice(rest.end, close)));
}

function onOneLine(entries: readonly Entry[], before: string): string {
  return before + entries.map(([key, value]) => named(key) + oneLine(value)).join(', ');
}

function onLines(text: string, root: Node, parent: Node, entries: readonly Entry[]): string {
  const { eol, unit } = formatOf(text, root);
  const last = parent.children?.at(-1);
  const indent = (last && ownIndent(text, last.offset)) ?? indentAt(text, parent.offset) + unit;
  const line = ([key, value]: Entry): string =>
    eol + indent + named(key) + JSON.stringify(value, null, unit).replaceAll('\n', eol + indent);
  return entries.map(line).join(',');
}

/** The line end before a bracket that stood on the line of its opening one. */
function closing(text: string, parent: Node, pieces: string, rest: string): string {
  const eol = BREAK.exec(pieces)?.[0];
  return eol === undefined || BREAK.test(rest) ? '' : eol + indentAt(text, parent.offset);
}

interface Rest {
  /** A comma follows the last entry. */
  readonly comma: boolean;
  /** Behind the last comment or comma before the closing bracket. */
  readonly end: number;
}

/** `text` from the last entry to the bracket holds blanks, comments and at most one comma: it parsed. */
function lookAt(text: string, from: number, close: number): Rest {
  const found = [...text.slice(from, close).matchAll(/,|\/\/[^\r\n]*|\/\*[^]*?\*\//gu)];
  const last = found.at(-1);
  return {
    comma: found.some(([token]) => token === ','),
    end: last === undefined ? from : from + last.index + last[0].length,
  };
}

/** A comma directly behind the last entry, where none is; the new text behind the comments that follow it. */
function withComma(text: string, last: Node, { comma, end }: Rest, added: string): string {
  const grown = splice(text, end, added);
  return comma ? grown : splice(grown, endOf(last), ',');
}

function splice(text: string, at: number, added: string): string {
  return text.slice(0, at) + added + text.slice(at);
}

/** Entries that share a line with their brackets get company there; an empty object does as its file does. */
function isOneLine(text: string, root: Node, parent: Node): boolean {
  const isEmpty = (parent.children?.length ?? 0) === 0;
  const { offset, length } = isEmpty ? root : parent;
  return !(isEmpty && parent === root) && !BREAK.test(text.slice(offset, offset + length));
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

function named(key: string | null): string {
  return key === null ? '' : `${JSON.stringify(key)}: `;
}

/** On one line with blanks; no text in it holds a raw line end. */
function oneLine(value: JsonValue): string {
  return JSON.stringify(value, null, 1).replaceAll(/,\n */gu, ', ').replaceAll(/\n */gu, '');
}

/** The file's own line ends, and what its first member is indented by. */
function formatOf(text: string, root: Node): { readonly eol: string; readonly unit: string } {
  const first = root.children?.[0];
  const indent = first && ownIndent(text, first.offset);
  return { eol: BREAK.exec(text)?.[0] ?? '\n', unit: indent === undefined || indent === '' ? '  ' : indent };
}

/** The blanks before `at`, when nothing else stands before it on its line. */
function ownIndent(text: string, at: number): string | undefined {
  const before = lineBefore(text, at);
  return /^[ \t]*$/u.test(before) ? before : undefined;
}

/** The blanks that the line of `at` begins with. */
function indentAt(text: string, at: number): string {
  return /^[ \t]*/u.exec(lineBefore(text, at))?.[0] ?? '';
}

function lineBefore(text: string, at: number): string {
  return text.slice(Math.max(text.lastIndexOf('\n', at - 1), text.lastIndexOf('\r', at - 1)) + 1, at);
}
