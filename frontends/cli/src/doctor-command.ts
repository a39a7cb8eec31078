// `doctor` of any lock: the checks of lockkit, of the configuration, the consoles and the agents' wiring, and the lock's
// own (docs/doctor.md). A launcher verb: `doctor --fix --yes --json` asks nothing and does only what is safe.
import { userInfo } from 'node:os';
import { callAction, findPlace, listProfileNames } from 'lockkit/agent';
import { UserMistake, type LockContract } from 'lockkit/contract';
import { loadPolicies, openPolicySources, renderProblem } from 'lockkit/policy';
import {
  openFactsIo,
  projectChecks,
  renderDoctor,
  runDoctor,
  separationChecks,
  sessionChecks,
  type CheckSource,
  type DoctorCheck,
} from 'lockkit/separation';
import { findProjectRoot, loadSystemSettings } from 'lockkit/setting';
import { checkWiring, detectAgents } from 'lockkit/wiring';
import { askYes, canAsk } from './ask-yes.js';
import type { CommandArguments, CommandIo } from './command.js';
import { wiredLockOf } from './init-command.js';
import type { PolicyParts } from './policy-commands.js';
import { printJson } from './print.js';

export interface DoctorProduct {
  readonly contract: LockContract;
  readonly policy: PolicyParts;
  readonly productFolder: string;
  readonly needsHiddenProcesses: boolean;
  /** What only this lock needs: the kernel's sandbox, a plugin folder. */
  readonly ownChecks: readonly CheckSource[];
}

function configChecks(
  { contract: { name }, policy }: DoctorProduct,
  root: string,
  io: CommandIo,
): CheckSource {
  return () => {
    const { uid, gid, homedir } = userInfo();
    const xdg = io.env['XDG_CONFIG_HOME'];
    const place = { lock: name, projectRoot: root, home: homedir, uid, trustedGids: [gid] };
    const sources = openPolicySources(xdg === undefined ? place : { ...place, xdgConfigHome: xdg });
    const loaded = sources.ok ? loadPolicies(policy.definition, sources.value, policy) : sources;
    if (!loaded.ok)
      return loaded.problems.map((problem) => ({
        id: 'config',
        state: 'fail',
        detail: renderProblem(problem),
        fix: `mend the file; \`${name} policy check FILE\` shows every problem`,
      }));
    const names = [...loaded.value.keys()];
    if (names.length > 0) return [{ id: 'config', state: 'ok', detail: `profiles: ${names.join(', ')}` }];
    const detail = 'no profile is configured here';
    return [{ id: 'config', state: 'warn', detail, fix: `${name} profile add --help` }];
  };
}

function consoleChecks(contract: LockContract, io: CommandIo): CheckSource {
  return async () => {
    let names: readonly string[];
    let place;
    try {
      place = findPlace(contract.name, io.cwd, io.env, process.getuid?.() ?? -1);
      names = listProfileNames(contract.name, place.projectRoot).map((one) => one.name);
    } catch (error) {
      // Said by the checks of the settings and of the configuration.
      if (error instanceof UserMistake) return [];
      throw error;
    }
    const checks: DoctorCheck[] = [];
    for (const profile of names) checks.push(await consoleCheck(contract, place, profile, io));
    return checks;
  };
}

async function consoleCheck(
  contract: LockContract,
  place: ReturnType<typeof findPlace>,
  profile: string,
  { signal }: CommandIo,
): Promise<DoctorCheck> {
  const id = `console:${profile}`;
  try {
    const outcome = await callAction({
      contract,
      place,
      choice: { profile },
      method: 'status',
      params: {},
      signal,
    });
    if (outcome.kind === 'result') return { id, state: 'ok', detail: 'running' };
    const { code, meaning } = outcome.error;
    if (code === 'E_CONNECTION' && !mayAsk(contract.name))
      return { id, state: 'ok', detail: 'running; this account is no client of it' };
    if (code !== 'E_NO_CONSOLE') return { id, state: 'fail', detail: meaning, fix: outcome.error.hint };
  } catch (error) {
    if (!(error instanceof UserMistake)) throw error;
    return { id, state: 'fail', detail: error.message, fix: 'rename the profile' };
  }
  return { id, state: 'warn', detail: 'none', fix: 'in the console’s account: lox run' };
}

/** Does the console admit this account? One that it does not is sent away without a word. */
function mayAsk(lock: string): boolean {
  const { serviceUser, clientGroup, allowedUids } = loadSystemSettings(lock);
  const io = openFactsIo({});
  const gid = clientGroup === undefined ? null : io.groupByName(clientGroup);
  const service = serviceUser === undefined ? io.uid : io.accountByName(serviceUser)?.uid;
  const gids = [process.getgid?.() ?? -1, ...(process.getgroups?.() ?? [])];
  return io.uid === service || allowedUids.includes(io.uid) || (gid !== null && gids.includes(gid));
}

function wiringChecks(contract: LockContract, root: string): CheckSource {
  return () => {
    const agents = detectAgents(root);
    if (agents.length === 0)
      return [
        {
          id: 'wiring',
          state: 'warn',
          detail: 'no coding agent is wired in this project',
          fix: `${contract.name} init claude (or codex, cursor, gemini)`,
        },
      ];
    return agents.map((agent) => {
      const { files } = checkWiring({ root, agents: [agent], lock: wiredLockOf(contract) });
      const id = `wiring:${agent}`;
      const refused = files.find(({ status }) => status === 'refused');
      const fix = `${contract.name} init ${agent}`;
      if (refused !== undefined)
        return {
          id,
          state: 'fail',
          detail: `${refused.path}: ${refused.reason ?? 'cannot be changed'}`,
          fix,
        };
      const missing = files.filter(({ status }) => status === 'skipped').map(({ path }) => path);
      return missing.length === 0
        ? { id, state: 'ok', detail: 'wired' }
        : { id, state: 'warn', detail: `not wired: ${missing.join(', ')}`, fix };
    });
  };
}

function allChecks(product: DoctorProduct, io: CommandIo): readonly CheckSource[] {
  const { contract, needsHiddenProcesses, productFolder, ownChecks } = product;
  const facts = openFactsIo(io.env);
  const lock = { name: contract.name, needsHiddenProcesses };
  const root = findProjectRoot(contract.name, io.cwd);
  const project: CheckSource = () => {
    const { serviceUser } = quietSettings(contract.name);
    const service = serviceUser === undefined ? null : facts.accountByName(serviceUser);
    return projectChecks(facts, { lock: contract.name, projectRoot: root, service })();
  };
  const session: CheckSource = () =>
    quietSettings(contract.name).serviceUser === undefined ? [] : sessionChecks(facts, lock, productFolder)();
  return [
    separationChecks(facts, lock),
    session,
    project,
    configChecks(product, root, io),
    consoleChecks(contract, io),
    wiringChecks(contract, root),
    ...ownChecks,
  ];
}

/** A system.toml that does not load is one check's to report; the others go on without it. */
function quietSettings(lock: string): { readonly serviceUser?: string } {
  try {
    return loadSystemSettings(lock);
  } catch (error) {
    if (error instanceof UserMistake) return {};
    throw error;
  }
}

async function mayMend({ flags }: CommandArguments, io: CommandIo): Promise<boolean> {
  if (flags['fix'] !== true) return false;
  if (flags['yes'] === true) return true;
  if (!canAsk(io)) throw new UserMistake('doctor --fix asks before it acts: use a terminal, or --yes');
  return askYes(io, 'Mend what can be mended safely?');
}

/** Exit `ok`: nothing failed. Exit 1: something did. */
export async function runDoctorCommand(
  product: DoctorProduct,
  args: CommandArguments,
  io: CommandIo,
): Promise<number> {
  const report = await runDoctor(allChecks(product, io), await mayMend(args, io));
  if (args.json) printJson(io, report);
  else io.out(renderDoctor(report));
  return report.ok ? product.contract.exitCodes.ok : product.contract.exitCodes.failed;
}
