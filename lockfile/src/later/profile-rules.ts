// `profile rules --json`: what a launcher may decide by rule, from the approved policy (docs/decisions.md, "Shapes").
import { printJson, type CommandArguments, type CommandIo } from '@lockkit/cli';
import { userInfo } from 'node:os';
import { UserMistake } from 'lockkit/contract';
import { openPolicyStore, type PolicyState } from 'lockkit/policy';
import { findProjectRoot, stateFolder } from 'lockkit/setting';
import { fileProfile, type FilePolicy } from '../contract/profile.js';

/** The project's record before the account's own. */
function readState(profile: string, io: CommandIo): PolicyState<FilePolicy> {
  const { uid, homedir } = userInfo();
  const folder = stateFolder('lockfile', homedir, io.env['XDG_STATE_HOME']);
  const store = openPolicyStore({ folder, definition: fileProfile, uid });
  const project = store.read({ projectRoot: findProjectRoot('lockfile', io.cwd), profile });
  return project.approved === undefined ? store.read({ projectRoot: null, profile }) : project;
}

export function runProfileRules({ flags, json }: CommandArguments, io: CommandIo): Promise<number> {
  const { profile } = flags as { readonly profile?: string };
  if (profile === undefined) throw new UserMistake('profile rules needs --profile P');
  const { inForce } = readState(profile, io);
  if (inForce === undefined)
    throw new UserMistake('no policy of this profile was approved in this account yet');
  const { policy, fingerprint } = inForce;
  const rules = {
    profile,
    production: policy.production,
    fingerprint,
    auto: policy.auto,
    never_auto: [],
  };
  if (json) printJson(io, rules);
  else for (const [action, rule] of Object.entries(policy.auto)) io.out(`${action.padEnd(8)} ${rule}\n`);
  return Promise.resolve(0);
}
