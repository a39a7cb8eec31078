// What is wrong with a policy file, for the human who wrote it: file, line, key and one static sentence.
// Made by the loader, printed by `policy check`, the console and `profile add`. It must never hold a value of the file.

export type ProblemCode =
  | 'unreadable'
  | 'unsafe_file'
  | 'too_large'
  | 'not_utf8'
  | 'not_toml'
  | 'too_deep'
  | 'unknown_key'
  | 'secret_key'
  | 'secret_value'
  | 'missing_key'
  | 'bad_value'
  | 'too_many'
  | 'bad_name'
  | 'conflict'
  | 'bad_pattern'
  | 'no_profile';

export interface PolicyProblem {
  readonly code: ProblemCode;
  readonly file: string;
  /** From 1; absent where the whole file is meant. */
  readonly line?: number;
  readonly column?: number;
  /** As in the file, with dots: `profiles.web.exce`. Already escaped for display. */
  readonly key?: string;
  readonly message: string;
}

/** Either what was loaded, or every problem that was found. */
export type Loaded<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly PolicyProblem[] };

export type KeyPath = readonly (string | number)[];

const BARE = /^[A-Za-z0-9_-]+$/;
const MAX_SHOWN = 64;

function renderKey(key: string): string {
  if (BARE.test(key) && key.length <= MAX_SHOWN) return key;
  const cut = [...key].slice(0, MAX_SHOWN).join('');
  const escaped = JSON.stringify(cut).replace(
    /[^ -~]/gu,
    (one) => `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`,
  );
  return cut === key ? escaped : `${escaped}…`;
}

/** `profiles.web.allow[2]`: keys that are not plain are quoted, with everything but ASCII escaped. */
export function renderKeyPath(path: KeyPath): string {
  return path
    .map((part, index) => {
      if (typeof part === 'number') return `[${String(part + 1)}]`;
      return index === 0 ? renderKey(part) : `.${renderKey(part)}`;
    })
    .join('');
}

/** `config.toml:4: profiles.web.exce: this key is not known` */
export function renderProblem(problem: PolicyProblem): string {
  const column = problem.column === undefined ? '' : `:${String(problem.column)}`;
  const line = problem.line === undefined ? '' : `:${String(problem.line)}${column}`;
  const key = problem.key === undefined ? '' : `${problem.key}: `;
  return `${problem.file}${line}: ${key}${problem.message}`;
}
