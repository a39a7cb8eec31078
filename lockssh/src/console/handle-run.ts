// `run`: from the decoded request to a step the console can take. The only effect is one remote command, and the
// only way its output leaves is through the masker, or in clear under a human's own ticket.
import type { Call, Effect, EffectEnd, Grant, Handler, PolicyInForce, Step } from 'lockkit/console';
import { encodeArgvField } from 'lockkit/audit';
import { accepted, Fault, type Outcome } from 'lockkit/contract';
import type { Masker } from 'lockkit/masking';
import type { RunEnd } from '../connection/run-line.js';
import type { SshPolicy } from '../contract/profile.js';
import { decideRun, type RunDecision, type RunState } from './decide-run.js';
import { runResult } from './run-result.js';
import { clearResultScreen, runScreen } from './run-screens.js';
import type { RuleSets } from './rule-sets.js';

export interface RunInput {
  readonly argv: readonly string[];
  readonly intent?: string;
  readonly dry_run?: boolean;
  readonly ticket?: string;
  readonly unmask?: boolean;
}

/** What a run needs of the open session. */
export interface RunParts {
  readonly profile: string;
  readonly state: () => RunState;
  readonly ruleSets: (policy: SshPolicy) => RuleSets;
  readonly masker: (policy: PolicyInForce<SshPolicy>) => Masker;
  /** Runs on the one connection, opening it anew where it was lost. */
  readonly run: (argv: readonly string[], policy: SshPolicy, signal: AbortSignal) => Promise<RunEnd>;
  /** The session was granted: later requests need no connect. */
  readonly grantConnect: () => void;
}

function dryRun(outcome: ReturnType<typeof decideRun>): unknown {
  if (!outcome.ok) return { status: 'would_refuse', code: outcome.code };
  const { needs, rule } = outcome.value;
  if (needs.some((need) => need.rule === 'deny')) return { status: 'would_refuse', code: 'E_AUTO_DENIED' };
  const waits = needs.some((need) => need.rule === 'ask');
  return { status: waits ? 'would_wait' : 'would_run', ...(rule === undefined ? {} : { rule }) };
}

async function runEffect(
  parts: RunParts,
  decision: RunDecision,
  inForce: PolicyInForce<SshPolicy>,
  grant: Grant,
  signal: AbortSignal,
): Promise<EffectEnd> {
  const policy = inForce.value;
  if (grant.kinds.includes('connect')) parts.grantConnect();
  const end = await parts.run(decision.argv, policy, signal);
  // Whether the command ran to its end is not known: that is what the audit and the agent are told.
  if (end.kind === 'lost' || end.kind === 'aborted')
    throw new Fault('E_CONNECTION', `the run was cut off (${end.kind}); its end is unknown`);
  const clear = decision.unmask && grant.kinds.includes('unmask') && grant.rule === 'human';
  const { result, record } = runResult(end, policy, parts.masker(inForce), clear);
  const [stdout, stderr] = [end.stdout, end.stderr].map((bytes) =>
    bytes.subarray(0, policy.limits.max_output_bytes).toString('utf8'),
  );
  return {
    result,
    record,
    clearResult: clearResultScreen(parts.profile, decision, stdout as string, stderr as string),
  };
}

export function makeRunHandler(parts: RunParts): Handler<SshPolicy> {
  return (input: RunInput, call: Call<SshPolicy>): Outcome<Step> => {
    const policy = call.policy.value;
    const wish = { argv: input.argv, unmask: input.unmask === true };
    const decided = decideRun(wish, policy, parts.ruleSets(policy), parts.state());
    if (input.dry_run === true) return accepted({ kind: 'answer', result: dryRun(decided) });
    if (!decided.ok) return decided;
    const decision = decided.value;
    const effect: Effect = {
      kind: 'effect',
      subject: { argv: decision.argv, unmask: decision.unmask },
      needs: decision.needs,
      risk: decision.risk,
      record: {
        ...encodeArgvField(parts.masker(call.policy).maskArgv(decision.argv)),
        ...(decision.unmask ? { unmask: true } : {}),
      },
      screen: (asked) => runScreen(parts.profile, policy, decision, asked),
      run: (grant, signal) => runEffect(parts, decision, call.policy, grant, signal),
    };
    return accepted(effect);
  };
}
