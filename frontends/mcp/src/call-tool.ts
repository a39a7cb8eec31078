// One tool call: arguments, console, result. Called by serve.ts for every tools/call.
// Order: shape, then the console; a refused call has connected to nothing. Every expected failure is a tool error with
// a code of the lock's table; what is not expected ends as E_INTERNAL and says nothing.
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { ActionOutcome, Choice } from 'lockkit/agent';
import { type Action, type LockContract, UserMistake, refusalRow } from 'lockkit/contract';
import { parseToolArguments } from './tool-arguments.js';
import type { OfferedTool } from './tool-list.js';
import { encodeError, encodeResult } from './tool-result.js';

export interface ConsoleCall {
  readonly action: Action;
  readonly choice: Choice;
  readonly params: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}

/** Reaches a console and asks; throws UserMistake where no console can be chosen. */
export type CallConsole = (call: ConsoleCall) => Promise<ActionOutcome>;

export async function callTool(
  contract: LockContract,
  { action, shapes }: OfferedTool,
  callConsole: CallConsole,
  raw: unknown,
  signal: AbortSignal,
): Promise<CallToolResult> {
  const parsed = parseToolArguments(shapes.input, raw);
  if (!parsed.ok) return refusal(contract, parsed.code);
  try {
    const outcome = await callConsole({ action, ...parsed.value, signal });
    if (outcome.kind === 'error') return encodeError(outcome.error);
    const output = shapes.output.safeParse(outcome.result);
    return output.success
      ? encodeResult(contract.name, output.data as object as Record<string, unknown>)
      : refusal(contract, 'E_INTERNAL');
  } catch (error) {
    return error instanceof UserMistake ? mistake(error) : refusal(contract, 'E_INTERNAL');
  }
}

export function refusal(contract: LockContract, code: string): CallToolResult {
  const { meaning, hint, retry } = refusalRow(contract, code);
  return encodeError({ code, meaning, hint, retry });
}

/** The sentence is ours: it names configured profiles at most. */
function mistake(error: UserMistake): CallToolResult {
  const hint = 'correct the call (profile, instance), or ask the user to correct the configuration';
  return encodeError({ code: 'E_USAGE', meaning: error.message, hint, retry: 'rewrite' });
}
