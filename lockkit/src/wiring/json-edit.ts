// Adds entries to a JSON file that a human keeps, comments, order and formatting included. Called by the planners.
// It must never replace or reorder what is there: a file that it does not understand wholly is refused.
import { isDeepStrictEqual } from 'node:util';
import { findNodeAtLocation, getNodeValue, type Node, type ParseError, parseTree } from 'jsonc-parser';
import { type Edit, type FileState, refusedEdit } from './change.js';
import { insertEntries } from './json-insert.js';

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
  if (addition.kind === 'items') return addItems(text, root, node, addition);
  if (node === undefined) return addMember(text, root, addition.path, addition.value);
  return { kind: isDeepStrictEqual(plain(getNodeValue(node)), plain(addition.value)) ? 'there' : 'kept' };
}

function addItems(
  text: string,
  root: Node,
  node: Node | undefined,
  { path, items }: Addition & { readonly kind: 'items' },
): Step {
  if (node !== undefined && node.type !== 'array') return refuse(`its "${path.join('.')}" is not a list`);
  const present = new Set<unknown>((node?.children ?? []).map((child) => getNodeValue(child) as unknown));
  const missing = items.filter((item) => !present.has(item));
  if (missing.length === 0) return { kind: 'there' };
  if (node === undefined) return addMember(text, root, path, missing);
  const entries = missing.map((item) => [null, item] as const);
  return { kind: 'added', text: insertEntries(text, root, node, entries) };
}

/** A member where no node is yet, with the objects around it that are missing too. */
function addMember(text: string, root: Node, path: readonly string[], value: JsonValue): Step {
  let parent = root;
  let depth = 0;
  for (; depth < path.length - 1; depth++) {
    const next = findNodeAtLocation(root, path.slice(0, depth + 1));
    if (next === undefined) break;
    parent = next;
  }
  const inner = path.slice(depth + 1).reduceRight<JsonValue>((made, key) => ({ [key]: made }), value);
  return { kind: 'added', text: insertEntries(text, root, parent, [[path[depth] ?? '', inner]]) };
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
