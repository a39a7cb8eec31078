// `policy explain`: an argv against the policy file as it stands. It reads the file, not what a human approved.
import { join } from 'node:path';
import type { CommandArguments, CommandIo } from '@lockkit/cli';
import { readPolicyFiles } from '@lockkit/cli/policy-files';
import { UserMistake } from 'lockkit/contract';
import { loadPolicies, renderProblem, type LoadedPolicy } from 'lockkit/policy';
import { findProjectRoot, projectFolder } from 'lockkit/setting';
import type { SshPolicy } from '../contract/profile.js';
import { locksshPolicy } from './policy-parts.js';
import { explainArgv, parseRules, printExplained } from './policy-match.js';

function chooseProfile(
  policies: ReadonlyMap<string, LoadedPolicy<SshPolicy>>,
  wanted: string | undefined,
): SshPolicy {
  const names = [...policies.keys()];
  const name = wanted ?? (names.length === 1 ? names[0] : undefined);
  if (name === undefined) throw new UserMistake('the file holds several profiles: choose one with --profile');
  const found = policies.get(name);
  if (!found) throw new UserMistake('the file holds no profile of this name');
  return found.policy;
}

export function runPolicyExplain(
  { flags, operands, json }: CommandArguments,
  io: CommandIo,
): Promise<number> {
  const { file, profile } = flags as { readonly file?: string; readonly profile?: string };
  const path = file ?? join(projectFolder('lockssh', findProjectRoot('lockssh', io.cwd)), 'config.toml');
  const loaded = loadPolicies(
    locksshPolicy.definition,
    { project: readPolicyFiles(path) },
    { checkPattern: locksshPolicy.checkPattern },
  );
  if (!loaded.ok) throw new UserMistake(loaded.problems.map(renderProblem).join('\n'));
  const { allow } = chooseProfile(loaded.value, profile);
  return Promise.resolve(printExplained(io, explainArgv(parseRules(allow.flat()), operands), json));
}
