// Adds entries to a JSON file that a human keeps, comments, order and formatting included. Called by the planners.
// It must never replace or reorder what is there: a file that it does not understand wholly is refused.
import { isDeepStrictEqual } from 'node:util';
import {
  applyEdits,
  findNodeAtLocation,
  getNodeValue,
  modify,
  type Node,
  type ParseError,
  parseTree,
} from 'jsonc-parser';
import { type Edit, type FileState, refusedEdit } from './change.js';

export type JsonValue =
  null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** One addition: a member of an object, or the texts that a list must hold. */
export type Addition =
  | { readonly kind: 'member'; readonly path: readonly [string, ...string[]]; readonly value: JsonValue }
  | {
      readonly kind: 'items';
      readonly path: readonly [string, ...string[]];
      readonly items: readonly string[];
    };

/** The file with every addition. An existing member is kept, an existing list only grows at its end. */
export function editJson(file: FileState, additions: readonly Addition[]): Edit {
  if (file.kind === 'other') return refusedEdit(file.reason);
  const before = file.kind === 'text' && file.text.trim() !== '' ? file.text : '{}\n';
  let text = before;
  let kept = false;
  for (const addition of additions) {
    const step = addOne(text, addition);
    if (step.kind === 'refused') return refusedEdit(step.reason);
    kept ||= step.kind === 'kept';
    if (step.kind === 'added') text = step.text;
  }
  if (text === before) return { status: kept ? 'kept' : 'unchanged' };
  return { status: file.kind === 'missing' ? 'create' : 'update', text };
}

type Step =
  | { readonly kind: 'added'; readonly text: string }
  | { readonly kind: 'there' | 'kept' }
  | { readonly kind: 'refused'; readonly reason: string };

function addOne(text: string, addition: Addition): Step {
  const root = parseWhole(text);
  if (root === undefined) return refuse('it does not parse as JSON');
  const blocked = blockedBy(root, addition);
  if (blocked !== undefined) return refuse(blocked);
  const node = findNodeAtLocation(root, [...addition.path]);
  if (addition.kind === 'member') {
    if (node === undefined) return added(text, addition.path, addition.value);
    return { kind: isDeepStrictEqual(plain(getNodeValue(node)), plain(addition.value)) ? 'there' : 'kept' };
  }
  return addItems(text, node, addition.path, addition.items);
}

function addItems(
  text: string,
  node: Node | undefined,
  path: readonly string[],
  items: readonly string[],
): Step {
  if (node === undefined) return items.length === 0 ? { kind: 'there' } : added(text, path, items);
  if (node.type !== 'array') return refuse(`its "${path.join('.')}" is not a list`);
  const present = new Set<unknown>((node.children ?? []).map((child) => getNodeValue(child) as unknown));
  const missing = items.filter((item) => !present.has(item));
  if (missing.length === 0) return { kind: 'there' };
  const length = node.children?.length ?? 0;
  const grown = missing.reduce(
    (current, item, index) => insertItem(current, [...path, length + index], item),
    text,
  );
  return { kind: 'added', text: grown };
}

function insertItem(text: string, path: (string | number)[], item: string): string {
  return applyEdits(text, modify(text, path, item, { ...formatOf(text), isArrayInsertion: true }));
}

function added(text: string, path: readonly string[], value: JsonValue): Step {
  return { kind: 'added', text: applyEdits(text, modify(text, [...path], value, formatOf(text))) };
}

function refuse(reason: string): Step {
  return { kind: 'refused', reason };
}

/** The whole tree, comments and trailing commas allowed; undefined where anything else is wrong. */
function parseWhole(text: string): Node | undefined {
  const errors: ParseError[] = [];
  const root = parseTree(text.replace(/^\uFEFF/u, ' '), errors, {
    allowTrailingComma: true,
    disallowComments: false,
  });
  return errors.length === 0 ? root : undefined;
}

/** Why the path cannot be followed: a parent that is no object, or a key that stands there twice. */
function blockedBy(root: Node, { path }: Addition): string | undefined {
  let node: Node | undefined = root;
  for (const [depth, key] of path.entries()) {
    if (node === undefined) return undefined;
    const name = depth === 0 ? 'the file' : `its "${path.slice(0, depth).join('.')}"`;
    if (node.type !== 'object') return `${name} is not an object`;
    const members: readonly Node[] = (node.children ?? []).filter(
      (member) => member.children?.[0]?.value === key,
    );
    if (members.length > 1) return `the key "${key}" stands in it twice`;
    node = members[0]?.children?.[1];
  }
  return undefined;
}

/** Without prototypes, so that values compare by their content alone. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** The file's own indentation and line ends. */
function formatOf(text: string) {
  const indent = /^[{[][^\S\n]*\r?\n([ \t]+)/mu.exec(text)?.[1] ?? '  ';
  return {
    formattingOptions: {
      insertSpaces: !indent.startsWith('\t'),
      tabSize: indent.startsWith('\t') ? 1 : indent.length,
      eol: text.includes('\r\n') ? '\r\n' : '\n',
    },
  };
}
