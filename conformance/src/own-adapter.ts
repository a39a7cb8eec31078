// Our own kits as an adapter: runs each question's kind in this process, one after the other.
// Called by the runner by default and by `lock-conformance adapter`. A kind that throws fails its own case only.
import type { Adapter, Answer, Question } from './adapter.js';
import type { LoadedKinds } from './areas.js';
import type { Json, Kind } from './kind.js';

/** Longest run of one case, ms. A case that starts real servers takes seconds. */
export const CASE_TIMEOUT_MS = 120_000;

export function ownAdapter({ kinds }: LoadedKinds, timeoutMs = CASE_TIMEOUT_MS): Adapter {
  return async (questions) => {
    const byId = new Map<string, Answer>();
    for (const question of questions) byId.set(question.id, await answerOne(kinds, question, timeoutMs));
    return { byId, breach: null };
  };
}

/** The answer of our kit to one question. Never rejects. */
export async function answerOne(
  kinds: ReadonlyMap<string, Kind>,
  question: Question,
  timeoutMs = CASE_TIMEOUT_MS,
): Promise<Answer> {
  const kind = kinds.get(String(question.input['kind']));
  if (kind === undefined) return { kind: 'unsupported' };
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Answer>((resolve) => {
    timer = setTimeout(() => {
      resolve({ kind: 'failure', reason: `no answer within ${String(timeoutMs / 1000)} s` });
    }, timeoutMs);
  });
  try {
    return await Promise.race([late, run(kind, question)]);
  } finally {
    clearTimeout(timer);
  }
}

async function run(kind: Kind, question: Question): Promise<Answer> {
  try {
    return { kind: 'got', got: asJson(await kind.run(question.input)) };
  } catch (error) {
    return { kind: 'failure', reason: `the kit threw: ${String(error)}` };
  }
}

/** What the other side of a pipe would read: so that our answers are judged as everybody's. */
function asJson(value: Json): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}
