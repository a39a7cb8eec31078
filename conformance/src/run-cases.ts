// Runs cases through an adapter and judges the answers. Called by main.
// A kind that nobody can judge is unsupported, never passed; everything that goes wrong is a failed case.
import type { Adapter, Answer, Question } from './adapter.js';
import type { LoadedKinds } from './areas.js';
import type { Case } from './case.js';
import type { CaseSet } from './case-files.js';
import { GeneratorMistake, expandInput } from './generators.js';
import type { Json, JsonObject, Kind } from './kind.js';

export type Verdict =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly got: Json; readonly reason: string }
  | { readonly kind: 'unsupported' };

export interface CaseResult {
  readonly id: string;
  readonly area: string;
  readonly verdict: Verdict;
}

/** Id and area of the entry that stands for what an adapter did wrong beside its answers. */
export const ADAPTER_ENTRY = 'adapter';

/** One result for every case and for every bad line, in the order of the files. */
export async function runCases(
  set: CaseSet,
  loaded: LoadedKinds,
  adapter: Adapter,
): Promise<readonly CaseResult[]> {
  const early = new Map<string, Verdict>();
  const questions: Question[] = [];
  for (const item of set.cases) {
    const prepared = prepare(item, loaded);
    if ('kind' in prepared) early.set(item.id, prepared);
    else questions.push(prepared);
  }
  const asked = new Map(questions.map((question) => [question.id, question.input]));
  const { byId, breach } = await adapter(questions);
  const results = set.cases.map(({ id, area, kind, expected }): CaseResult => {
    const verdict =
      early.get(id) ?? judge(loaded.kinds.get(kind), asked.get(id) ?? {}, expected, byId.get(id));
    return { id, area, verdict };
  });
  const bad = set.bad.map(({ id, area, reason }): CaseResult => ({ id, area, verdict: failed(reason) }));
  const breaches =
    breach === null ? [] : [{ id: ADAPTER_ENTRY, area: ADAPTER_ENTRY, verdict: failed(breach) }];
  return [...results, ...bad, ...breaches];
}

function failed(reason: string, got: Json = null): Verdict {
  return { kind: 'failed', got, reason };
}

/** The question of a case, or its verdict where it cannot be asked. */
function prepare(item: Case, loaded: LoadedKinds): Question | Verdict {
  if (!loaded.kinds.has(item.kind)) {
    const why = loaded.broken.get(item.area);
    return why === undefined ? { kind: 'unsupported' } : failed(why);
  }
  try {
    return { id: item.id, input: expandInput(item.input) };
  } catch (error) {
    if (error instanceof GeneratorMistake) return failed(`${item.place}: ${error.message}`);
    throw error;
  }
}

function judge(
  kind: Kind | undefined,
  input: JsonObject,
  expected: JsonObject,
  answer: Answer | undefined,
): Verdict {
  if (kind === undefined || answer === undefined) return failed('no answer');
  if (answer.kind === 'unsupported') return answer;
  if (answer.kind === 'failure') return failed(answer.reason);
  try {
    const difference = kind.judge(input, expected, answer.got);
    return difference === null ? { kind: 'passed' } : failed(difference, answer.got);
  } catch {
    return failed('the answer does not have the shape of this kind', answer.got);
  }
}
