// The bodies of the commands that set a lock up and look after it, made from what a product says about itself. Called
// by a product's later/setup.ts. None needs a console; none approves anything, takes a secret or rewrites a profile.
import { userInfo } from 'node:os';
import { UserMistake } from 'lockkit/contract';
import {
  addProfile,
  MAX_POLICY_BYTES,
  openPolicyStore,
  renderProblem,
  type PatternCheck,
  type PolicyState,
  type ProfileDefinition,
} from 'lockkit/policy';
import { auditFolder, findProjectRoot, projectFolder, stateFolder } from 'lockkit/setting';
import { runAuditCommand } from './audit-command.js';
import type { CommandArguments, CommandIo } from './command.js';
import { runDoctorCommand, type DoctorProduct } from './doctor-command.js';
import { runInitCommand } from './init-command.js';
import { runInstallCommand } from './install-command.js';
import type { SetupBodies } from './lock-commands.js';
import type { PolicyParts } from './policy-commands.js';
import { printJson } from './print.js';

export interface SetupProduct<P> extends Omit<DoctorProduct, 'policy'> {
  readonly policy: { readonly definition: ProfileDefinition<P>; readonly checkPattern: PatternCheck };
  /** What a launcher may decide by rule. */
  readonly rulesOf: (policy: P) => AutoRules;
}

export interface AutoRules {
  readonly production: boolean;
  readonly auto: Readonly<Record<string, string>>;
  /** Kinds that no rule decides. */
  readonly neverAuto: readonly string[];
}

export function openSetup<P>(product: SetupProduct<P>): SetupBodies {
  const { contract } = product;
  const policy = product.policy as unknown as PolicyParts;
  return {
    policy,
    audit: (verb, args, io) => runAudit(contract.name, verb, args, io),
    profileAdd: (args, io) => Promise.resolve(runProfileAdd(product, args, io)),
    profileRules: (args, io) => Promise.resolve(runProfileRules(product, args, io)),
    install: (args, io) => runInstallCommand(product, args, io),
    doctor: (args, io) => runDoctorCommand({ ...product, policy }, args, io),
    init: (args, io) => runInitCommand(contract, args, io),
  };
}

/** The project’s log before the account’s own. */
function runAudit(
  lock: string,
  verb: 'verify' | 'show',
  { flags, json }: CommandArguments,
  io: CommandIo,
): Promise<number> {
  const { profile, checkpoint } = flags as Readonly<Record<string, string | undefined>>;
  if (profile === undefined) throw new UserMistake(`audit ${verb} needs --profile P`);
  const state = stateFolder(lock, userInfo().homedir, io.env['XDG_STATE_HOME']);
  const roots = [findProjectRoot(lock, io.cwd), null];
  const folders = roots.map((root) => auditFolder(state, root, profile, ''));
  return runAuditCommand({ verb, folders, json, checkpoint }, io);
}

/** The profile's keys as they will stand in the file: only what was given, and only what is true. */
function valuesOf({
  profile: _name,
  non_interactive: _launcher,
  ...flags
}: CommandArguments['flags']): Readonly<Record<string, string | number | boolean | readonly string[]>> {
  return Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== false));
}

function runProfileAdd<P>(
  { contract: { name: lock, exitCodes }, policy }: SetupProduct<P>,
  { flags, json }: CommandArguments,
  io: CommandIo,
): number {
  const name = flags['profile'];
  if (typeof name !== 'string') throw new UserMistake('profile add needs --profile NAME');
  const folder = projectFolder(lock, findProjectRoot(lock, io.cwd));
  const guard = { trustedGids: [process.getgid?.() ?? -1], maxBytes: MAX_POLICY_BYTES };
  const added = addProfile(policy.definition, { folder, guard }, name, valuesOf(flags));
  if (!added.ok) throw new UserMistake(added.problems.map(renderProblem).join('\n'));
  if (json) printJson(io, added.value);
  else
    io.out(
      added.value.status === 'created'
        ? `added to ${added.value.path}; the human approves it at the console’s next start\n`
        : 'exists: nothing was changed\n',
    );
  return exitCodes.ok;
}

/** The project's record before the account's own. */
function readState<P>(
  { contract: { name: lock }, policy: { definition } }: SetupProduct<P>,
  profile: string,
  io: CommandIo,
): PolicyState<P> {
  const { uid, homedir } = userInfo();
  const folder = stateFolder(lock, homedir, io.env['XDG_STATE_HOME']);
  const store = openPolicyStore({ folder, definition, uid });
  const project = store.read({ projectRoot: findProjectRoot(lock, io.cwd), profile });
  return project.approved === undefined ? store.read({ projectRoot: null, profile }) : project;
}

function runProfileRules<P>(
  product: SetupProduct<P>,
  { flags, json }: CommandArguments,
  io: CommandIo,
): number {
  const { profile } = flags as { readonly profile?: string };
  if (profile === undefined) throw new UserMistake('profile rules needs --profile P');
  const { inForce } = readState(product, profile, io);
  if (inForce === undefined)
    throw new UserMistake('no policy of this profile was approved in this account yet');
  const { production, auto, neverAuto } = product.rulesOf(inForce.policy);
  if (json)
    printJson(io, { profile, production, fingerprint: inForce.fingerprint, auto, never_auto: neverAuto });
  else for (const [action, rule] of Object.entries(auto)) io.out(`${action.padEnd(8)} ${rule}\n`);
  return product.contract.exitCodes.ok;
}
