// What a run request is, before anything is touched: refused, allowed, or waiting for a human ("What runs, what
// waits, what is refused" of the page). Pure: called by handle-run.ts, by dry runs and by `policy explain`.
import { accepted, refused, type Outcome } from 'lockkit/contract';
import type { AutoRule, Need } from 'lockkit/console';
import type { Risk } from 'lockkit/tickets';
import type { SshPolicy } from '../contract/profile.js';
import { checkArgv } from '../rules/check-argv.js';
import { matchRules } from '../rules/match-rules.js';
import { isShellBuiltin } from '../rules/shell-words.js';
import type { RuleSets } from './rule-sets.js';

export interface RunWish {
  readonly argv: unknown;
  readonly unmask: boolean;
}

/** What the console's state adds to the policy. */
export interface RunState {
  readonly connectGranted: boolean;
  readonly unmaskAllowed: boolean;
}

export interface RunDecision {
  readonly argv: readonly string[];
  /** The rule that allows it, in its own words; undefined: outside the rules. */
  readonly rule: string | undefined;
  readonly unmask: boolean;
  readonly needs: readonly Need[];
  readonly risk: Risk;
}

export type RunCode = 'E_BAD_ARGV' | 'E_NOT_ALLOWED' | 'E_UNMASK_OFF';

/** The rule of the first set that allows the argv, when every set allows it. */
function findRule(sets: RuleSets, argv: readonly string[]): string | undefined {
  const matches = sets.map((rules) => matchRules(rules, argv));
  const first = matches[0];
  if (first?.kind !== 'match' || matches.some(({ kind }) => kind !== 'match')) return undefined;
  return first.rule.text;
}

export function decideRun(
  wish: RunWish,
  policy: SshPolicy,
  sets: RuleSets,
  state: RunState,
): Outcome<RunDecision, RunCode> {
  const checked = checkArgv(wish.argv);
  if (!checked.ok) return checked;
  const argv = checked.value;
  // Held here too, not only when rules load: a ticket could otherwise name what exec would not run as a file.
  if (isShellBuiltin(argv[0] as string)) return refused('E_BAD_ARGV');
  const rule = findRule(sets, argv);
  if (rule === undefined && !policy.exec) return refused('E_NOT_ALLOWED');
  if (wish.unmask && !state.unmaskAllowed) return refused('E_UNMASK_OFF');
  const needs = needsOf(policy, rule !== undefined, wish.unmask, state);
  return accepted({
    argv,
    rule,
    unmask: wish.unmask,
    needs,
    risk: riskOf(policy, rule !== undefined, wish.unmask),
  });
}

function needsOf(policy: SshPolicy, allowed: boolean, unmask: boolean, state: RunState): readonly Need[] {
  const { auto } = policy;
  const connect: Need[] = state.connectGranted ? [] : [{ kind: 'connect', rule: auto.connect }];
  const command: Need = allowed ? { kind: 'run', rule: auto.run } : { kind: 'exec', rule: execRule(policy) };
  // Clear output is a human's decision, whatever the rules say; only deny changes it.
  const clear: Need[] = unmask ? [{ kind: 'unmask', rule: auto.unmask, neverAuto: true }] : [];
  return [...connect, command, ...clear];
}

/** A command outside the rules is a write, and a write on production is always a human's decision. */
function execRule({ auto, production }: SshPolicy): AutoRule {
  return production && auto.exec === 'auto' ? 'ask' : auto.exec;
}

function riskOf(policy: SshPolicy, allowed: boolean, unmask: boolean): Risk {
  if (!allowed) return policy.production ? 'prod-write' : 'write';
  return unmask ? 'read-pii' : 'read';
}
