// One case from its given to its verdict: a clean home, the steps in order, everything taken away again.
// Called by run-suite. The first step that goes wrong ends the case.
import { openCleanHome } from './clean-home.js';
import { fillText, wordsOf } from './fill-words.js';
import { playCommand, playTogether } from './play-command.js';
import { checkSocketFile, playCrowd, playFlood } from './play-many.js';
import { playTalk } from './play-talk.js';
import type { Step, SuiteCase } from './suite-case.js';
import type { CaseRun, SuiteSetting } from './suite-run.js';

export type SuiteVerdict =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'unsupported'; readonly reason: string };

/** The words of a case that stand for a fact. */
const NEEDS_FACT = {
  target: /\{(other_|bad_)?target(_toml)?\}/,
  action: /\{(action|method|params|tool|arguments|result)\}/,
} as const;

/** Why this case cannot be run here, or null. */
function whyNot(item: SuiteCase, setting: SuiteSetting): string | null {
  const { needs = [], steps } = item;
  const text = JSON.stringify(item);
  if (setting.unknown.some((fact) => NEEDS_FACT[fact].test(text)))
    return 'needs facts of this lock: give them with --describe';
  if (needs.includes('root') && process.getuid?.() !== 0) return 'needs root';
  if (needs.includes('mount') && !setting.mayMount) return 'needs root and the right to mount';
  if (needs.includes('plain account') && setting.plainUid === null)
    return 'needs an account that is not root and can reach the lock’s program';
  const socket = steps.some(reachesConsole);
  if (socket && setting.socketPath === null) return 'needs --socket PATH of a running console';
  return null;
}

export function reachesConsole(step: Step): boolean {
  return (
    'crowd' in step || 'flood' in step || 'socket_file' in step || ('talk' in step && step.talk === 'console')
  );
}

export async function runCase(item: SuiteCase, setting: SuiteSetting): Promise<SuiteVerdict> {
  const reason = whyNot(item, setting);
  if (reason !== null) return { kind: 'unsupported', reason };
  const uid = item.needs?.includes('plain account') ? (setting.plainUid ?? undefined) : undefined;
  const home = openCleanHome({
    given: item.given,
    uid,
    fill: (places, text) => fillText(text, wordsOf(setting.facts, places)),
  });
  const run: CaseRun = { setting, home, uid, words: wordsOf(setting.facts, home) };
  try {
    for (const [at, step] of item.steps.entries()) {
      const wrong = await playStep(run, step);
      if (wrong !== null)
        return { kind: 'failed', reason: `step ${String(at + 1)}: ${hideRoot(wrong, home.root)}` };
    }
    return { kind: 'passed' };
  } finally {
    home.remove();
  }
}

function playStep(run: CaseRun, step: Step): Promise<string | null> {
  if ('run' in step) return playCommand(run, step);
  if ('together' in step) return playTogether(run, step);
  if ('talk' in step) return playTalk(run, step);
  const path = run.setting.socketPath ?? '';
  if ('crowd' in step) return playCrowd(path, step);
  return 'flood' in step ? playFlood(path, step) : Promise.resolve(checkSocketFile(path));
}

/** The throwaway folder's name says nothing to a reader. */
function hideRoot(text: string, root: string): string {
  return text.replaceAll(`${root}/`, '').replaceAll(root, '.');
}
