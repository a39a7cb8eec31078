// What stands between the name of a key and its value, and where the value begins. Called by the assignment finder;
// reads a few bytes after the name and nothing else.
import type { View } from '../../detector.js';

export interface Separator {
  readonly kind: 'equals' | 'colon' | 'option' | 'element' | 'comma' | 'attribute' | 'block';
  /** Index of the first byte of the value (its quote, if any). */
  readonly valueAt: number;
}

interface Name {
  readonly start: number;
  readonly end: number;
}

const LOOK_AHEAD = 96;
const MAX_INDENT = 64;
const ASSIGN = /^(?:\\*["'`]|\])*[ \t]*(?:(=>|:=|\|\|=|\?=|\+=|==?)|(::?)(?![:/]))[ \t]*(?![=])/;
// Types of text that stand between a name and its quoted value in code: `let apiToken: string = "…"`.
const TYPED =
  /^[!?]?(?:[ \t]*:|[ \t])[ \t]*(?:[A-Za-z]{1,16}[<[])?&?(?:'\w{1,16} )?(?:mut |const )?\*?(?:\[\])?(?:[a-z]{1,12}(?:\.|::))?(?:string|str|char|bytes?|text|any|secretstr|secretstring|nsstring|charsequence)(?:\[\]|[>\]])?[!?]?[ \t]*=[ \t]*(?=[@#$bfru]{0,2}["'`])/i;
// `char password[] = "…"`, `string Password { get; set; } = "…"`.
const DECLARED = /^(?:\[\d{0,4}\]|[ \t]*\{[ \t]*get;[^}\n]{0,24}\})[ \t]*=[ \t]*(?=")/;
const ELEMENT =
  /^(?:[ \t][\w:.-]{1,32}=(?:"[^"<\n]{0,40}"|'[^'<\n]{0,40}'))*>(?:\s{0,64}<!\[CDATA\[|[ \t]*\r?\n\s{0,64}(?=[^<\s]))?/;
const ATTRIBUTE = /^\\*["'][ \t,]*\s{0,40}(?:-\s)?\\*["']?value\\*["']?\s?[=:]>?\s?/i;
const YAML_ENV = /^[ \t]*\r?\n[ \t]*value[ \t]*:[ \t]*/;
const COMMA = /^["'`]\s?,\s?(?=["'`])/;

/** The separator after a name, or undefined where the name stands alone. */
export function findSeparator(view: View, name: Name): Separator | undefined {
  const first = view.bytes[name.end];
  if (first === undefined) return undefined;
  const ahead = view.text.slice(name.end, name.end + LOOK_AHEAD);
  if (view.bytes[name.start - 1] === 0x3c) {
    const element = ELEMENT.exec(ahead);
    if (element !== null) return { kind: 'element', valueAt: name.end + element[0].length };
  }
  const attribute = ATTRIBUTE.exec(ahead) ?? (isEnvName(view, name) ? YAML_ENV.exec(ahead) : null);
  if (attribute !== null) return { kind: 'attribute', valueAt: name.end + attribute[0].length };
  const typed = TYPED.exec(ahead) ?? DECLARED.exec(ahead);
  if (typed !== null) return { kind: 'equals', valueAt: name.end + typed[0].length };
  const assign = ASSIGN.exec(ahead);
  if (assign !== null) return assigned(view, name, assign);
  const comma = isFirstArgument(view, name) ? COMMA.exec(ahead) : null;
  if (comma !== null) return { kind: 'comma', valueAt: name.end + comma[0].length };
  return optionValue(view, name, ahead);
}

function assigned(view: View, name: Name, assign: RegExpExecArray): Separator | undefined {
  const valueAt = name.end + assign[0].length;
  if (assign[1] !== undefined) return { kind: 'equals', valueAt };
  const block = blockStart(view, name, valueAt);
  return block === undefined ? { kind: 'colon', valueAt } : { kind: 'block', valueAt: block };
}

/** The first line of the value in `password: |` of YAML, or of a value that stands alone, deeper, on the next line. */
function blockStart(view: View, name: Name, valueAt: number): number | undefined {
  const ahead = view.text.slice(valueAt, valueAt + LOOK_AHEAD);
  const marked = /^[|>][+-]?[0-9]?[ \t]*\r?\n[ \t]+/.exec(ahead);
  if (marked !== null) return valueAt + marked[0].length;
  const below =
    /^\r?\n([ \t]+)(?=["']?[^\s:#"'-][^\s:]*[\r\n]|["'][^"'\n]*["'],?[\r\n]|["']?[^\s:#"'-][^\s:]*$)/.exec(
      ahead,
    );
  return below !== null && (below[1] as string).length > indentOf(view, name.start)
    ? valueAt + below[0].length
    : undefined;
}

/** How far the line is indented on which a name stands; beyond all when something but a quote stands before the name. */
function indentOf(view: View, nameStart: number): number {
  const lineFrom = view.text.lastIndexOf('\n', nameStart - 1) + 1;
  const before = nameStart - lineFrom > MAX_INDENT ? 'far' : view.text.slice(lineFrom, nameStart);
  return /^[ \t]*(?:- )?["']?$/.test(before) ? before.replace(/["']$/, '').length : Number.MAX_SAFE_INTEGER;
}

/** End of the block whose first line begins at `at`: its lines are indented as deep, or empty. */
export function blockEnd(view: View, at: number): number {
  const indent = at - (view.text.lastIndexOf('\n', at - 1) + 1);
  const deep = new RegExp(`^[ \\t]{${Math.min(indent, MAX_INDENT)}}\\S`);
  let end = lineEnd(view, at);
  for (let next = end + 1; next < view.length;) {
    const to = lineEnd(view, next);
    const line = view.text.slice(next, Math.min(to, next + MAX_INDENT + 2));
    if (line.trim() !== '' && !deep.test(line)) break;
    if (line.trim() !== '') end = to;
    next = to + 1;
  }
  return end;
}

function lineEnd(view: View, at: number): number {
  const newline = view.text.indexOf('\n', at);
  return newline < 0 ? view.length : newline;
}

/** `--password hunter2`; another option after it is no value. */
function optionValue(view: View, name: Name, ahead: string): Separator | undefined {
  if (view.bytes[name.start] !== 0x2d) return undefined;
  const spaces = /^[ \t]+(?!-)/.exec(ahead);
  return spaces === null ? undefined : { kind: 'option', valueAt: name.end + spaces[0].length };
}

/** `define('DB_PASSWORD', 'x')`. */
function isFirstArgument(view: View, name: Name): boolean {
  return /\(\s?["'`]$/.test(view.text.slice(Math.max(0, name.start - 3), name.start));
}

/** `- name: DB_PASSWORD`, whose value is on the next line. */
function isEnvName(view: View, name: Name): boolean {
  return /\bname:[ \t]*["']?$/.test(view.text.slice(Math.max(0, name.start - 12), name.start));
}
