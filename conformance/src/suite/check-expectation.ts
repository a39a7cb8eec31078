// Judges what a command did against what the case expects: exit, output, what it must never say, files.
// Called by the player of commands. It gives the first sentence that is wrong.
import type { Json } from '../kind.js';
import { checkFile, type FileBefore } from './check-file.js';
import { type FileTree, findText, firstDifference } from './file-tree.js';
import type { LockFacts } from './lock-facts.js';
import type { Ran } from './run-command.js';
import { checkShape, isObject } from './shape.js';
import type { ExitExpectation, Expectation } from './suite-case.js';

export interface Judged {
  readonly ran: Ran;
  readonly exit: LockFacts['exit'];
  readonly before: FileTree;
  readonly textsBefore: ReadonlyMap<string, string>;
  readonly after: FileTree;
}

export function checkExit(
  expected: ExitExpectation,
  exit: LockFacts['exit'],
  ran: Pick<Ran, 'exit' | 'problem'>,
): string | null {
  if (ran.problem !== null) return `the command ${ran.problem}`;
  const wanted = (typeof expected === 'object' ? expected.one_of : [expected]).map((one) =>
    typeof one === 'number' ? one : exit[one],
  );
  if (wanted.includes(ran.exit ?? -1)) return null;
  return `exit status is ${String(ran.exit)}, expected ${[...new Set(wanted)].join(' or ')}`;
}

export function checkExpectation(expected: Expectation, judged: Judged): string | null {
  return (
    (judged.ran.problem === null ? null : `the command ${judged.ran.problem}`) ??
    checkNever(expected, judged) ??
    (expected.exit === undefined ? null : checkExit(expected.exit, judged.exit, judged.ran)) ??
    checkExitBy(expected, judged) ??
    checkOutput(expected, judged.ran) ??
    checkFiles(expected, judged)
  );
}

function checkExitBy({ exit_by: rule }: Expectation, { ran, exit }: Judged): string | null {
  if (rule === undefined) return null;
  const value = parseJson(ran.stdout.toString('utf8'));
  const member = isObject(value) ? value[rule.member] : undefined;
  if (typeof member !== 'boolean')
    return `standard output has no member ${rule.member} that is true or false`;
  return checkExit(member ? rule.when_true : rule.when_false, exit, ran);
}

/** First of all: a leak is the worst that can be found. */
function checkNever({ never = [], never_in_files = [] }: Expectation, { ran, after }: Judged): string | null {
  for (const text of never) {
    if (ran.stdout.includes(text)) return 'standard output holds what it must never hold';
    if (ran.stderr.includes(text)) return 'standard error holds what it must never hold';
  }
  for (const text of never_in_files) {
    const path = findText(after, text);
    if (path !== null) return `${path} holds what must never be written`;
  }
  return null;
}

function checkOutput(expected: Expectation, ran: Ran): string | null {
  const stdout = ran.stdout.toString('utf8');
  const stderr = ran.stderr.toString('utf8');
  if (expected.json !== undefined) {
    const value = parseJson(stdout);
    if (value === undefined) return 'standard output is not exactly one JSON value';
    const wrong = checkShape(expected.json, value, 'stdout');
    if (wrong !== null) return wrong;
  }
  for (const text of expected.says ?? [])
    if (!stdout.includes(text) && !stderr.includes(text))
      return `the output does not name ${JSON.stringify(text)}`;
  return (
    (expected.stdout === undefined ? null : checkShape(expected.stdout, stdout, 'stdout')) ??
    (expected.stderr === undefined ? null : checkShape(expected.stderr, stderr, 'stderr'))
  );
}

export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function checkFiles({ files = {}, untouched = [] }: Expectation, judged: Judged): string | null {
  for (const [path, expected] of Object.entries(files)) {
    const wrong = checkFile(path, expected, beforeOf(path, judged), judged.after.get(path));
    if (wrong !== null) return wrong;
  }
  for (const folder of untouched) {
    const wrong = firstDifference(below(folder, judged.before), below(folder, judged.after));
    if (wrong !== null) return wrong;
  }
  return null;
}

function beforeOf(path: string, { before, textsBefore }: Judged): FileBefore {
  return { entry: before.get(path), text: textsBefore.get(path) ?? '' };
}

function below(folder: string, tree: FileTree): FileTree {
  return new Map([...tree].filter(([path]) => path === folder || path.startsWith(`${folder}/`)));
}
