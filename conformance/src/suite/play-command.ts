// Plays the steps that are commands: one to its end, or several at once. Called by run-case.
// It gives null, or the first sentence that is wrong.
import { join } from 'node:path';
import { checkExpectation, parseJson } from './check-expectation.js';
import { readText } from './check-file.js';
import { fillArgv, fillText, fillValue } from './fill-words.js';
import { readTree, type FileTree } from './file-tree.js';
import { listenAsConsole } from './play-console.js';
import { runCommand, type Ran } from './run-command.js';
import { isObject } from './shape.js';
import type { CommandStep, Expectation, TogetherStep } from './suite-case.js';
import type { CaseRun } from './suite-run.js';

interface Before {
  readonly tree: FileTree;
  readonly texts: ReadonlyMap<string, string>;
}

/** Everything but sockets and temporary files, and the texts of the files that the step speaks of. */
function lookBefore(run: CaseRun, files: readonly string[]): Before {
  return { tree: readAll(run), texts: new Map(files.map((path) => [path, readText(path)])) };
}

function readAll({ home }: CaseRun): FileTree {
  return readTree(home.root, [home.sockets, join(home.root, 'tmp')]);
}

function judge(
  run: CaseRun,
  expected: Expectation,
  before: Before,
  ran: Ran,
  after: FileTree,
): string | null {
  const { exit } = run.setting.facts;
  return checkExpectation(expected, { ran, exit, before: before.tree, textsBefore: before.texts, after });
}

function start(run: CaseRun, argv: readonly string[], step?: CommandStep): Promise<Ran> {
  const { setting, home, words } = run;
  const { lock, facts, timeoutMs, plainUid } = setting;
  const asked = step?.stdin ?? 'none';
  const uid = step?.as === 'plain' ? (plainUid ?? undefined) : run.uid;
  return runCommand({
    words: [...lock, ...fillArgv(argv, facts, words)],
    cwd: fillText(step?.cwd ?? '{project}', words),
    env: { ...home.env, ...fillValue(step?.env ?? {}, words, facts) },
    stdin: typeof asked === 'object' ? { text: fillText(asked.text, words) } : asked,
    timeoutMs,
    ...(uid === undefined ? {} : { uid }),
  });
}

export async function playCommand(run: CaseRun, step: CommandStep): Promise<string | null> {
  const expected = fillValue(step.expect, run.words, run.setting.facts);
  const before = lookBefore(run, Object.keys(expected.files ?? {}));
  const listener = step.console === undefined ? null : await listenAsConsole(run, step.console);
  try {
    const env = listener === null ? {} : fillValue(run.setting.clientEnv, run.words, run.setting.facts);
    const ran = await start(run, step.run, { ...step, env: { ...env, ...step.env } });
    return judge(run, expected, before, ran, readAll(run)) ?? listener?.problem() ?? null;
  } finally {
    await listener?.close();
  }
}

export async function playTogether(run: CaseRun, { together, expect }: TogetherStep): Promise<string | null> {
  const { words, setting } = run;
  const { each, tally, files } = fillValue(expect, words, setting.facts);
  const before = lookBefore(run, Object.keys(files ?? {}));
  const all = await Promise.all(together.map((argv) => start(run, argv)));
  const after = readAll(run);
  for (const ran of all) {
    const wrong = each === undefined ? null : judge(run, each, before, ran, after);
    if (wrong !== null) return wrong;
  }
  const counted = tally === undefined ? null : checkTally(tally.key, tally.counts, all);
  const [first] = all;
  return (
    counted ??
    (files === undefined || first === undefined ? null : judge(run, { files }, before, first, after))
  );
}

function checkTally(
  key: string,
  counts: Readonly<Record<string, number>>,
  all: readonly Ran[],
): string | null {
  const values = all.map(({ stdout }) => {
    const value = parseJson(stdout.toString('utf8'));
    return isObject(value) ? String(value[key]) : 'nothing';
  });
  for (const [value, count] of Object.entries(counts)) {
    const found = values.filter((one) => one === value).length;
    if (found !== count)
      return `${key} is ${value} in ${String(found)} of ${String(all.length)} outputs, expected ${String(count)}`;
  }
  return null;
}
