// `profile add`: one more profile at the end of the project's config.toml (the launcher verb). Never a secret,
// never a rewrite: an existing profile is left as it is.
import { printJson, type CommandArguments, type CommandIo } from '@lockkit/cli';
import { UserMistake } from 'lockkit/contract';
import { addProfile, MAX_POLICY_BYTES, renderProblem } from 'lockkit/policy';
import { findProjectRoot, projectFolder } from 'lockkit/setting';
import { fileProfile } from '../contract/profile.js';

const TEXT_KEYS = ['source', 'root', 'prefix', 'credentials', 'vault_path'] as const;

/** The profile's keys as they will stand in the file; only what was given. */
function valuesOf(flags: CommandArguments['flags']): Record<string, string | boolean | readonly string[]> {
  const values: Record<string, string | boolean | readonly string[]> = {};
  for (const key of TEXT_KEYS) if (flags[key] !== undefined) values[key] = flags[key];
  if (flags['production'] === true) values['production'] = true;
  if (flags['plugins'] !== undefined) values['plugins'] = flags['plugins'];
  return values;
}

export function runProfileAdd({ flags, json }: CommandArguments, io: CommandIo): Promise<number> {
  const name = flags['profile'];
  if (typeof name !== 'string') throw new UserMistake('profile add needs --profile NAME');
  const folder = projectFolder('lockfile', findProjectRoot('lockfile', io.cwd));
  const guard = { trustedGids: [process.getgid?.() ?? -1], maxBytes: MAX_POLICY_BYTES };
  const added = addProfile(fileProfile, { folder, guard }, name, valuesOf(flags));
  if (!added.ok) throw new UserMistake(added.problems.map(renderProblem).join('\n'));
  if (json) printJson(io, added.value);
  else
    io.out(
      added.value.status === 'created'
        ? `added to ${added.value.path}; the human approves it at the console’s next start\n`
        : 'exists: nothing was changed\n',
    );
  return Promise.resolve(0);
}
