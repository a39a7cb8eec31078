// From a tool call to the console of the chosen profile, by lockkit/agent. Called by call-tool.ts.
// The place is looked up at every call: the server starts before anything is configured, and outlives changes.
import { callAction, callStatus, errorOf, findPlace, listProfileNames } from 'lockkit/agent';
import type { LockContract } from 'lockkit/contract';
import type { CallConsole } from './call-tool.js';

export interface ProcessFacts {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly uid: number;
}

export function openCallConsole(contract: LockContract, { cwd, env, uid }: ProcessFacts): CallConsole {
  return async ({ action, choice, params, signal }) => {
    const place = findPlace(contract.name, cwd, env, uid);
    const call = { contract, place, choice, signal };
    if (action.everyProfile === true) return callStatus(call);
    const named =
      choice.profile !== undefined || listProfileNames(contract.name, place.projectRoot).length > 0;
    if (!named) return errorOf(contract, 'E_NO_CONSOLE');
    const outcome = await callAction({ ...call, method: action.name, params });
    if (outcome.kind === 'error' || action.afterResult === undefined) return outcome;
    return { kind: 'result', result: await action.afterResult(outcome.result, place.projectRoot) };
  };
}
