// `install` of any lock: plan, show the exact script, ask, run it. Called as root (sudo); with --print by anybody.
// The plan and its refusals are lockkit/separation's.
import { UserMistake, type LockContract } from 'lockkit/contract';
import {
  openFactsIo,
  parseInstallOptions,
  planInstall,
  planUninstall,
  readInstallFacts,
  renderScript,
  runScript,
  type InstallFlags,
  type InstallPlan,
  type InstallRefusal,
} from 'lockkit/separation';
import { askYes, canAsk } from './ask-yes.js';
import type { CommandArguments, CommandIo } from './command.js';
import { printJson } from './print.js';

export interface InstallProduct {
  readonly contract: LockContract;
  /** The folder of the product's package.json. */
  readonly productFolder: string;
}

function printRefusals(io: CommandIo, refusals: readonly InstallRefusal[], json: boolean): void {
  if (json) return printJson(io, { status: 'refused', refusals });
  for (const { reason, fix } of refusals) io.err(`${reason}\n    mend it: ${fix}\n`);
}

/** What `--json` says beside the status: the titles of the steps, not the script, which `--print` shows. */
function summaryOf({ steps, notes }: InstallPlan): object {
  return { steps: steps.map(({ title }) => title), notes };
}

async function runPlan(
  { exitCodes }: LockContract,
  plan: InstallPlan,
  { flags, json }: CommandArguments,
  io: CommandIo,
): Promise<number> {
  const script = renderScript(plan);
  if (!json) io.out(`${script}\n`);
  if (flags['yes'] !== true && !(await askYes(io, 'Run this as root?'))) {
    if (json) printJson(io, { status: 'declined' });
    else io.err('nothing was done\n');
    return exitCodes.denied;
  }
  const code = await runScript(script, { out: json ? io.err : io.out, err: io.err });
  const done = flags['uninstall'] === true ? 'uninstalled' : 'installed';
  if (json) printJson(io, { status: code === 0 ? done : 'failed', ...summaryOf(plan) });
  else for (const note of code === 0 ? plan.notes : []) io.err(`${note}\n`);
  if (code !== 0) io.err('the script stopped: mend what it said and run this again\n');
  return code === 0 ? exitCodes.ok : exitCodes.failed;
}

/** Exit `ok`: done, or printed. `failed`: refused, or the script stopped. `denied`: the answer was not yes. */
export async function runInstallCommand(
  { contract, productFolder }: InstallProduct,
  args: CommandArguments,
  io: CommandIo,
): Promise<number> {
  const { flags, json } = args;
  const options = parseInstallOptions(contract.name, flags as InstallFlags);
  const facts = readInstallFacts(openFactsIo(io.env), options, productFolder);
  const planned = flags['uninstall'] === true ? planUninstall(options, facts) : planInstall(options, facts);
  if (planned.kind === 'refused') {
    printRefusals(io, planned.refusals, json);
    return contract.exitCodes.failed;
  }
  if (flags['print'] === true) {
    const script = renderScript(planned.plan);
    if (json) printJson(io, { status: 'planned', script, ...summaryOf(planned.plan) });
    else await io.write(script);
    return contract.exitCodes.ok;
  }
  if (facts.uid !== 0)
    throw new UserMistake(
      `install must run as root: sudo ${contract.name} install (--print only shows the script)`,
    );
  if (flags['yes'] !== true && !canAsk(io))
    throw new UserMistake('install asks before it runs: use a terminal, or --yes');
  return runPlan(contract, planned.plan, args, io);
}
