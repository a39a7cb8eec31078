// `status`: every profile that is configured here, with or without a console. Called by the front-ends.
import type { ActionCall, ActionOutcome } from './call-action.js';
import { callAction } from './call-action.js';
import { listProfileNames } from './profile-names.js';

interface ProfileStatus {
  readonly profile: string;
  readonly console: 'running' | 'none';
}

function statusOf(profile: string, outcome: ActionOutcome): ProfileStatus | ActionOutcome {
  if (outcome.kind === 'result') return { ...(outcome.result as object), profile, console: 'running' };
  return outcome.error.code === 'E_NO_CONSOLE' ? { profile, console: 'none' } : outcome;
}

/** `{lock, version, profiles: [...]}` (docs/decisions.md, "Shapes"); an error of a console that runs is the outcome. */
export async function callStatus(call: Omit<ActionCall, 'method' | 'params'>): Promise<ActionOutcome> {
  const { contract, place, choice } = call;
  const names =
    choice.profile === undefined
      ? listProfileNames(contract.name, place.projectRoot).map(({ name }) => name)
      : [choice.profile];
  const profiles: ProfileStatus[] = [];
  for (const profile of names) {
    const outcome = await callAction({
      ...call,
      choice: { ...choice, profile },
      method: 'status',
      params: {},
    });
    const status = statusOf(profile, outcome);
    if ('kind' in status) return status;
    profiles.push(status);
  }
  return { kind: 'result', result: { lock: contract.name, version: contract.version, profiles } };
}
