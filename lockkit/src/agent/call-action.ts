// One action of an agent, from its parameters to an outcome: choose the console, hello, request.
// Called by the command and by the MCP server. Every failure ends as a code of the lock's table.
import { UserMistake } from '../contract/fault.js';
import { outcomeOfRefusal, refusalRow, type ExitCodes, type LockContract } from '../contract/lock.js';
import type { Retry } from '../contract/refusals.js';
import { socketPath } from '../rpc/socket-path.js';
import { openClient, type After, type Client, type ClientFailure, type ClientReply } from './client.js';
import type { Place } from './place.js';
import { listProfileNames, type ProfileName } from './profile-names.js';

/** What a front-end prints or returns; `error` is the shape of docs/decisions.md, "Wire". */
export type ActionOutcome =
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'error'; readonly error: ActionError; readonly exit: keyof ExitCodes };

export interface ActionError {
  readonly code: string;
  readonly meaning: string;
  readonly hint: string;
  readonly retry: Retry;
}

export interface Choice {
  readonly profile?: string;
  readonly instance?: string;
}

export interface ActionCall {
  readonly contract: LockContract;
  readonly place: Place;
  readonly choice: Choice;
  readonly method: string;
  readonly params: unknown;
  readonly signal?: AbortSignal;
  /** The clock; the process's own without it. */
  readonly after?: After;
}

/** What a console answers from memory: hello, and actions that only tell what is known. One that cannot is none. */
export const ANSWER_LIMIT_MS = 10_000;

const startTimer: After = (ms, call) => {
  const timer = setTimeout(call, ms);
  return () => clearTimeout(timer);
};

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

export function errorOf(contract: LockContract, code: string): ActionOutcome {
  // A code that is in no table of ours is a console's word: it is not repeated.
  const known = Object.hasOwn(contract.refusals, code) ? code : 'E_INTERNAL';
  const row = refusalRow(contract, known);
  const { meaning, hint, retry } = row;
  return { kind: 'error', error: { code: known, meaning, hint, retry }, exit: outcomeOfRefusal(row, known) };
}

/** The one profile that is meant; throws UserMistake when that cannot be told. */
function chooseProfile(contract: LockContract, place: Place, choice: Choice): readonly ProfileName[] {
  if (choice.instance !== undefined && !NAME.test(choice.instance))
    throw new UserMistake('--instance takes a name of letters, digits, - and _');
  if (choice.profile !== undefined) {
    if (!NAME.test(choice.profile))
      throw new UserMistake('--profile takes a name of letters, digits, - and _');
    // Which of the two there is, the socket tells: the console's account may have profiles that this one cannot see.
    const { profile: name } = choice;
    return [
      { name, from: 'project' },
      { name, from: 'user' },
    ];
  }
  const known = listProfileNames(contract.name, place.projectRoot);
  if (known.length === 1) return known;
  if (known.length === 0)
    throw new UserMistake(
      `no profile is configured here: name one with --profile, or run \`${contract.name} profile add\``,
    );
  throw new UserMistake(
    `several profiles are configured: choose one with --profile (${known.map(({ name }) => printable(name)).join(', ')})`,
  );
}

function printable(name: string): string {
  return NAME.test(name) ? name : '(a name that is not valid)';
}

/** Connects to the first console among the candidates. */
async function openConsole(
  call: ActionCall,
  candidates: readonly ProfileName[],
): Promise<Client | ClientFailure> {
  const { socketDir, projectRoot, consoleUid } = call.place;
  let failure: ClientFailure = 'no_console';
  for (const { name, from } of candidates) {
    const { instance } = call.choice;
    const root = from === 'project' ? projectRoot : null;
    const path = socketPath({
      socketDir,
      projectRoot: root,
      profile: name,
      ...(instance === undefined ? {} : { instance }),
    });
    const client = await openClient(path, consoleUid, call.after ?? startTimer);
    if (typeof client !== 'string') return client;
    if (client !== 'no_console') failure = client;
  }
  return failure;
}

function failureCode(failure: ClientFailure): string {
  return failure === 'lost' ? 'E_CONNECTION' : 'E_NO_CONSOLE';
}

function outcomeOf(contract: LockContract, reply: ClientReply): ActionOutcome {
  if (reply.kind === 'result') return { kind: 'result', result: reply.result };
  if (reply.kind === 'failed') return errorOf(contract, failureCode(reply.failure));
  // Meaning, hint and retry are those of our own table: a console is not believed about them.
  return errorOf(contract, reply.data?.code ?? 'E_INTERNAL');
}

/** The major that the console answered with is ours. */
function speaksOurs({ protocolMajor }: LockContract, said: unknown): boolean {
  return (
    typeof said === 'object' &&
    said !== null &&
    'protocol_major' in said &&
    said.protocol_major === protocolMajor
  );
}

export async function callAction(call: ActionCall): Promise<ActionOutcome> {
  const { contract } = call;
  const client = await openConsole(call, chooseProfile(contract, call.place, call.choice));
  if (typeof client === 'string') return errorOf(contract, failureCode(client));
  try {
    const introduction = {
      protocol_major: contract.protocolMajor,
      client: `${contract.name} ${contract.version}`,
    };
    const hello = await client.request('hello', introduction, { answerMs: ANSWER_LIMIT_MS });
    if (hello.kind !== 'result') return outcomeOf(contract, hello);
    if (!speaksOurs(contract, hello.result)) return errorOf(contract, 'E_PROTOCOL');
    const action = contract.actions.find(({ name }) => name === call.method);
    const limits = {
      ...(call.signal === undefined ? {} : { signal: call.signal }),
      ...(action?.readOnly === true ? { answerMs: ANSWER_LIMIT_MS } : {}),
    };
    const outcome = outcomeOf(contract, await client.request(call.method, call.params, limits));
    if (outcome.kind !== 'result' || !action?.afterResult) return outcome;
    return { kind: 'result', result: await action.afterResult(outcome.result, call.place.projectRoot) };
  } finally {
    client.close();
  }
}
