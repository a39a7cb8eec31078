// `audit verify` and `audit show`: for the human, in the console's account. Reads the log and changes nothing.
import { userInfo } from 'node:os';
import { runAuditCommand, type CommandArguments, type CommandIo } from '@lockkit/cli';
import { auditFolder, findProjectRoot, stateFolder } from 'lockkit/setting';
import { UserMistake } from 'lockkit/contract';

/** The project’s log before the account’s own. */
function foldersOf(profile: string, instance: string, io: CommandIo): readonly string[] {
  const state = stateFolder('lockfile', userInfo().homedir, io.env['XDG_STATE_HOME']);
  const root = findProjectRoot('lockfile', io.cwd);
  return [auditFolder(state, root, profile, instance), auditFolder(state, null, profile, instance)];
}

export function runAudit(
  verb: 'verify' | 'show',
  { flags, json }: CommandArguments,
  io: CommandIo,
): Promise<number> {
  const { profile, instance, checkpoint } = flags as Readonly<Record<string, string | undefined>>;
  if (profile === undefined) throw new UserMistake(`audit ${verb} needs --profile P`);
  return runAuditCommand({ verb, folders: foldersOf(profile, instance ?? '', io), json, checkpoint }, io);
}
