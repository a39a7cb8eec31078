// What the session a console was started in allows: the desktop level, or every reason why it does not start.
// Called by the console's command before a screen is opened; tests call it with their own facts.
import type { LockType } from 'lockkit/console';
import { UserMistake } from 'lockkit/contract';
import {
  checkStart,
  decideDesktopLevel,
  openFactsIo,
  readSessionFacts,
  renderRefusals,
  standingWarnings,
  type DesktopVerdict,
  type SessionFacts,
} from 'lockkit/separation';
import { loadSystemSettings, systemFile, type SystemSettings } from 'lockkit/setting';

export interface ConsoleStart {
  readonly desktop: DesktopVerdict;
  /** Stand on every screen. */
  readonly warnings: readonly string[];
  /** Why a production profile is not served here. */
  readonly whyNoProduction: readonly string[];
}

type StartTraits = Pick<LockType<never>, 'contract' | 'needsHiddenProcesses'>;

/** Throws UserMistake with every reason and its fix. */
export function decideStart(lock: StartTraits, facts: SessionFacts, settings: SystemSettings): ConsoleStart {
  const desktop = decideDesktopLevel(facts);
  const question = {
    facts,
    settings,
    level: desktop.level,
    demo: false,
    lock: { name: lock.contract.name, needsHiddenProcesses: lock.needsHiddenProcesses === true },
  };
  const always = checkStart({ ...question, production: false });
  if (always.length > 0)
    throw new UserMistake(`the console does not start here:\n  ${renderRefusals(always)}`);
  return {
    desktop,
    warnings: standingWarnings({ ...question, production: false }),
    whyNoProduction: checkStart({ ...question, production: true }).map((refusal) =>
      renderRefusals([refusal]),
    ),
  };
}

export interface StartProcess {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder of the product's package.json. */
  readonly productFolder: string;
}

export function readStart(
  lock: StartTraits,
  { env, productFolder }: StartProcess,
  allowedUids: readonly number[],
): ConsoleStart {
  const { name } = lock.contract;
  const settings = loadSystemSettings(name);
  const facts = readSessionFacts(openFactsIo(env), {
    settings,
    systemFile: systemFile(name),
    productFolder,
    allowedUids,
  });
  return decideStart(lock, facts, settings);
}
