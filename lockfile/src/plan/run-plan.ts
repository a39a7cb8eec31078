// The one effect of lockfile: type what is missing, fetch, ask each plugin, wait for the quantum, release together.
// Called by the console after the human's yes, with the start on disk. Nothing it throws or returns to the agent
// depends on the file but the answers themselves and the one code of a failed fetch.
import type { Human } from 'lockkit/approval';
import { Fault } from 'lockkit/contract';
import { renderFailureCause, type SandboxMeasures } from 'lockkit/sandbox';
import type { AnswerResult, AnswersResult } from '../later/shapes.js';
import { fetchObject, type FetchedFile } from '../sources/fetch-object.js';
import { FetchFailure, type Source } from '../sources/source.js';
import type { Workspace } from '../sources/workspace.js';
import { memoryKey, type AnswerMemory, type StoredAnswer } from './answer-memory.js';
import { askPlugin } from './ask-plugin.js';
import type { Plan } from './check-plan.js';
import type { FileHandle, HandleTable } from './handle-table.js';
import { valueScreen, type ScreenPlace, type ShownAnswer } from './plan-screens.js';
import { countAnswers, pluginLabel, questionId, type Question } from './question.js';
import { waitUntilRelease } from './release-time.js';
import type { TypedValues } from './typed-values.js';

export interface RunParts {
  readonly source: Source;
  readonly workspace: Workspace;
  readonly handles: HandleTable;
  readonly memory: AnswerMemory;
  readonly values: TypedValues;
  readonly human: Pick<Human, 'ask'>;
  readonly desktopLevel: 1 | 2 | 3;
  /** A monotonic clock. */
  readonly monotonicMs: () => number;
  readonly after: (ms: number, call: () => void) => () => void;
}

export interface RunTerms {
  readonly peerUid: number;
  readonly maxObjectBytes: number;
  readonly maxPluginsPerHandle: number;
  readonly quantumMs: number;
  readonly place: ScreenPlace;
  readonly signal: AbortSignal;
}

/** What happened to one question, for the audit. */
export interface QuestionRecord {
  readonly plugin: string;
  readonly outcome: 'answered' | 'plugin_error';
  /** The answer was known from an earlier run about the same bytes. */
  readonly stored?: true;
  readonly cause?: string;
  readonly stderr_bytes?: number;
  readonly cpu_ms?: number;
  readonly wall_ms?: number;
}

export interface RunEnd {
  readonly result: AnswersResult;
  readonly questions: readonly QuestionRecord[];
  readonly shown: readonly ShownAnswer[];
}

/** The longest silence of a source before the fetch is given up. */
const STALL_MS = 30_000;

/**
 * Runs an approved plan. Throws Fault with the refusal's code: E_INPUT_INVALID, E_NO_ANSWER, E_FETCH_FAILED,
 * E_TOO_MANY_PLUGINS, E_UNKNOWN_HANDLE, E_TOO_MANY_HANDLES, E_CONNECTION (the client left).
 */
export async function runPlan(plan: Plan, terms: RunTerms, parts: RunParts): Promise<RunEnd> {
  await askValues(plan, terms, parts);
  const id = takePlaces(plan, terms, parts);
  const startedMs = parts.monotonicMs();
  const handle = await fetchTarget(plan, id, startedMs, terms, parts);
  try {
    const asked = await parts.handles.using(handle.id, (file) =>
      askAll(plan, handle.key, file, terms, parts),
    );
    await waitForRelease(startedMs, terms, parts);
    return release(handle, asked, parts);
  } catch (error) {
    if (plan.target.kind === 'key') parts.handles.release(handle.id);
    throw error;
  }
}

async function askValues({ questions }: Plan, terms: RunTerms, parts: RunParts): Promise<void> {
  const { place, signal } = terms;
  const screenFor: Parameters<TypedValues['ask']>[2] = (placeholder, bindings) =>
    valueScreen(placeholder, bindings, place, parts.desktopLevel);
  const asked = await parts.values.ask(questions, parts.human, screenFor, signal);
  if (!asked.ok) throw new Fault(asked.code, 'the values of the plan were not typed or do not fit');
}

/** In one step with the start: what other runs have taken meanwhile counts. */
function takePlaces({ target, questions }: Plan, terms: RunTerms, { handles }: RunParts): string {
  if (target.kind === 'key') {
    const begun = handles.begin(terms.peerUid);
    if (!begun.ok) throw new Fault(begun.code, 'too many fetched files');
    return begun.value;
  }
  const reserved = handles.reserve(target.handle.id, questions, terms.maxPluginsPerHandle);
  if (!reserved.ok) throw new Fault(reserved.code, 'the handle cannot take these questions');
  return target.handle.id;
}

async function fetchTarget(
  { target, questions }: Plan,
  id: string,
  startedMs: number,
  terms: RunTerms,
  parts: RunParts,
): Promise<FileHandle> {
  if (target.kind === 'handle') return target.handle;
  const { handles, workspace, memory } = parts;
  try {
    const limits = { maxBytes: terms.maxObjectBytes, stallMs: STALL_MS };
    const fetchParts = { source: parts.source, limits, signal: terms.signal, after: parts.after };
    const handle = handles.add(
      id,
      target.key,
      await fetchObject(target.key, workspace.create(id), fetchParts),
    );
    handles.reserve(id, questions, terms.maxPluginsPerHandle);
    return handle;
  } catch (error) {
    handles.drop(id);
    if (!(error instanceof FetchFailure)) throw error;
    if (error.cause === 'aborted') throw leftFault();
    await waitForRelease(startedMs, terms, parts);
    memory.reveal(target.key, 1);
    throw new Fault('E_FETCH_FAILED', `fetch_failed: ${error.cause}`);
  }
}

function leftFault(): Fault {
  return new Fault('E_CONNECTION', 'stopped: the client left or the console ended');
}

interface Asked {
  readonly question: Question;
  readonly answer: StoredAnswer;
  readonly stored: boolean;
  readonly measures?: SandboxMeasures;
  readonly detail?: Uint8Array;
}

/** One after the other: what one plugin takes from the machine is not another one's to feel. */
async function askAll(
  { questions }: Plan,
  key: string,
  file: FetchedFile,
  terms: RunTerms,
  parts: RunParts,
): Promise<readonly Asked[]> {
  const asked: Asked[] = [];
  for (const question of questions) asked.push(await askOnce(question, key, file, terms, parts));
  return asked;
}

async function askOnce(
  question: Question,
  key: string,
  file: FetchedFile,
  { signal }: RunTerms,
  { memory, values }: RunParts,
): Promise<Asked> {
  let seen: Pick<Asked, 'measures' | 'detail'> = {};
  const run = async (): Promise<StoredAnswer | null> => {
    const end = await askPlugin(question, file.fd, (placeholder) => values.get(placeholder), signal);
    seen = { measures: end, ...(end.kind === 'answered' && end.detail ? { detail: end.detail } : {}) };
    if (end.kind === 'answered') return { kind: 'answered', answer: end.answer };
    return end.cause.kind === 'aborted' ? null : { kind: 'failed', cause: end.cause };
  };
  const { answer, stored } = await memory.once(memoryKey(key, file.contentHash, questionId(question)), run);
  if (answer === null) throw leftFault();
  return { question, answer, stored, ...seen };
}

/** Resolves at the next multiple of the quantum; a client that leaves earlier gets nothing. */
function waitForRelease(startedMs: number, { quantumMs, signal }: RunTerms, parts: RunParts): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(leftFault());
    const leave = (): void => {
      cancel();
      reject(leftFault());
    };
    const cancel = parts.after(waitUntilRelease(startedMs, parts.monotonicMs(), quantumMs), () => {
      signal.removeEventListener('abort', leave);
      resolve();
    });
    signal.addEventListener('abort', leave, { once: true });
    return undefined;
  });
}

function release(handle: FileHandle, asked: readonly Asked[], { handles, memory }: RunParts): RunEnd {
  const answers = asked.map(({ question, answer }) => {
    const result = answerResult(question, answer);
    handles.record(handle.id, question, result);
    return result;
  });
  const fresh = asked.filter(({ stored }) => !stored);
  memory.reveal(
    handle.key,
    fresh.reduce((sum, { question }) => sum + countAnswers(question), 0),
  );
  return {
    result: { handle: handle.id, answers },
    questions: asked.map(questionRecord),
    shown: asked.map(({ question, answer, detail }) => ({
      question,
      result: answer.kind === 'answered' ? answer.answer : null,
      ...(detail === undefined ? {} : { detail }),
    })),
  };
}

function answerResult({ plugin }: Question, answer: StoredAnswer): AnswerResult {
  const { name, version } = plugin.manifest;
  if (answer.kind === 'answered') return { plugin: name, version, result: answer.answer };
  return { plugin: name, version, result: null, code: 'plugin_error' };
}

function questionRecord({ question, answer, stored, measures }: Asked): QuestionRecord {
  const plugin = pluginLabel(question.plugin);
  const cause = answer.kind === 'failed' ? { cause: renderFailureCause(answer.cause) } : {};
  const outcome = answer.kind === 'answered' ? 'answered' : 'plugin_error';
  if (stored || measures === undefined) return { plugin, outcome, stored: true, ...cause };
  const { stderrBytes, cpuMs, wallMs } = measures;
  return {
    plugin,
    outcome,
    ...cause,
    stderr_bytes: stderrBytes,
    cpu_ms: Math.ceil(cpuMs),
    wall_ms: Math.ceil(wallMs),
  };
}
